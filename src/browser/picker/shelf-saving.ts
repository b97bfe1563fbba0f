/** Saving objects from any card, now and of cards to come. */

import { announce, postForm, toMessage } from '../lti/session.ts';
import { showCardProblem } from './tray-cards.ts';
import { fill, type Words } from './words.ts';

interface Saved {
  readonly isSaved: boolean;
  /** Why it was not done, in the reader's words. */
  readonly problem?: string;
}

/** @param onChange told of the button when it is done */
export function listenToSaving(words: Words, onChange: (button: Element) => void): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-save]') : null;
    const { handle, address, title = '' } = button?.closest<HTMLElement>('[data-handle]')?.dataset ?? {};
    if (button === null || handle === undefined || button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    const wasSaved = button.getAttribute('aria-pressed') === 'true';
    const { isSaved, problem } = await change(handle, wasSaved);
    for (const each of buttonsOf(address)) each.setAttribute('aria-pressed', String(isSaved));
    announce(problem ?? fill(isSaved ? words.saved : words.removed, { title }));
    showCardProblem(button, problem ?? null);
    if (isSaved !== wasSaved) onChange(button);
    button.ariaBusy = null;
  });
}

/** What cannot be done leaves it as it was. */
async function change(handle: string, wasSaved: boolean): Promise<Saved> {
  try {
    const action = wasSaved ? 'remove' : 'save';
    const response = await postForm('/picker/shelf', { handle, action });
    return (await response.json()) as Saved;
  } catch (error) {
    return { isSaved: wasSaved, problem: toMessage(error) ?? '' };
  }
}

/** Wherever else the object is on the page. */
function buttonsOf(address: string | undefined): Element[] {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-handle]')];
  return cards
    .filter((card) => card.dataset.address === address)
    .flatMap((card) => [...card.querySelectorAll('[data-save]')]);
}
