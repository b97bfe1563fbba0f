/** Cards anywhere in the page, as far as the tray is concerned: which object they are of, and whether it is chosen. */

import { CARDS_SHOWN } from '../lti/session.ts';
import type { ChosenCard } from './tray-items.ts';

const CARD = '[data-handle]';

/** The object of the card that an element is, or is in. */
export function readCard(element: Element): ChosenCard | null {
  const card = element.closest<HTMLElement>(CARD);
  const { handle, address, title, provider = '' } = card?.dataset ?? {};
  return handle && address ? { handle, address, name: title || address, provider } : null;
}

/** Cards of an element, each object once. */
export function readCards(within: Element): ChosenCard[] {
  const cards = [...within.querySelectorAll(CARD)].map(readCard).filter((card) => card !== null);
  return [...new Map(cards.map((card) => [card.address, card])).values()];
}

/** Calls back when the "Add" button of a card is pressed, now and of cards to come.
 *  @param listen gives what is wrong, to be shown on the card; null where nothing is */
export function onAdd(listen: (card: ChosenCard) => string | null): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-add]') : null;
    const card = button === null ? null : readCard(button);
    if (button !== null && card !== null) showCardProblem(button, listen(card));
  });
}

/** Beside the button that was pressed, until one of them is pressed again. */
export function showCardProblem(button: Element, problem: string | null): void {
  const actions = button.parentElement;
  actions?.querySelector('.problem')?.remove();
  if (!problem) return;
  actions?.append(Object.assign(document.createElement('p'), { className: 'problem', textContent: problem }));
}

/** Shows on all cards whether they are chosen, now and whenever some come into the page. @returns what shows it anew */
export function markCards(isChosen: (address: string) => boolean): () => void {
  const mark = () => {
    for (const button of document.querySelectorAll('[data-add]'))
      button.setAttribute('aria-pressed', String(isChosen(readCard(button)?.address ?? '')));
  };
  document.addEventListener(CARDS_SHOWN, mark);
  return mark;
}
