/** What is chosen, in its order, and the cards it comes from. */

import { createParagraph, onClick, type Words } from '../dom.ts';
import { CARDS_SHOWN } from '../lti/session.ts';
import { readSelectionForCourse } from './saved-selection.ts';

const CARD = '[data-handle]';

export interface TrayItem {
  /** The object, sealed by the host. */
  readonly handle: string;
  /** Address of the object without what makes no difference: each is chosen once. */
  readonly address: string;
  /** The object's own title and its provider; empty where unknown. */
  readonly name: string;
  readonly provider: string;
  /** How long it takes; null where unknown. */
  readonly minutes: number | null;
  /** Its picture or drawing, as HTML of the host. */
  readonly cover: string;
  /** Its title in the course. */
  title: string;
  completion: string;
  /** As they are typed; null for what is not graded. */
  points: string | null;
  /** `iframe` or `window`; empty where the platform decides. */
  target: string;
  /** In the reader's time, as fields have it; empty for none. */
  availableFrom: string;
  availableUntil: string;
  submitUntil: string;
}

/** What a card says of its object. */
export type ChosenCard = Pick<TrayItem, 'handle' | 'address' | 'name' | 'provider' | 'minutes' | 'cover'>;

export interface ItemDefaults {
  readonly maxTitleLength: number;
  readonly completion: string;
  readonly target: string;
}

export function newItem(card: ChosenCard, { maxTitleLength, completion, target }: ItemDefaults): TrayItem {
  const title = card.name.trim().slice(0, maxTitleLength);
  const undated = { availableFrom: '', availableUntil: '', submitUntil: '' };
  return { ...card, title, completion, points: null, target, ...undated };
}

/** What an older version kept has no cover. */
type BegunItem = Omit<ChosenCard, 'minutes' | 'cover'> & Partial<TrayItem>;

/** What was kept under the key, else what is chosen from the start. */
export function loadItems(key: string, initial: string, defaults: ItemDefaults): TrayItem[] {
  const begun = readSelectionForCourse<BegunItem[]>(key) ?? (JSON.parse(initial) as BegunItem[]);
  return begun.map((item) => {
    const points = item.points === undefined || item.points === null ? null : String(item.points);
    return { ...newItem({ minutes: null, cover: '', ...item }, defaults), ...item, points };
  });
}

/** For the host: the field `chosen` of the form. */
export function toChosenTrayItems(items: readonly TrayItem[]): string {
  return JSON.stringify(
    items.map(({ handle, title, completion, points, target, ...dates }) => ({
      handle,
      title,
      completion,
      points: points === null ? null : Number(points),
      target: target || null,
      availableFrom: toMoment(dates.availableFrom),
      availableUntil: toMoment(dates.availableUntil),
      submitUntil: points === null ? null : toMoment(dates.submitUntil),
    })),
  );
}

function toMoment(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}

/** The object of the card that an element is, or is in. */
function readCard(element: Element): ChosenCard | null {
  const card = element.closest<HTMLElement>(CARD);
  const { handle, address, title, provider = '', minutes } = card?.dataset ?? {};
  if (!handle || !address) return null;
  const cover = card?.querySelector('.thumb')?.outerHTML ?? '';
  return { handle, address, name: title || address, provider, minutes: minutes ? Number(minutes) : null, cover };
}

/** Cards of an element, each object once.
 *  @param isNew only those that were not chosen for the course before; all when absent */
export function readCards(within: Element, { isNew = false } = {}): ChosenCard[] {
  const cards = [...within.querySelectorAll(isNew ? `${CARD}:not([data-in-course])` : CARD)]
    .map(readCard)
    .filter((card) => card !== null);
  return [...new Map(cards.map((card) => [card.address, card])).values()];
}

/** Calls back when the "Add" button of a card is pressed, now and of cards to come.
 *  @param listen gives what is wrong, to be shown on the card; null where nothing is */
export function listenToTrayAdding(listen: (card: ChosenCard) => string | null): void {
  onClick(document, '[data-add]', (button) => {
    const card = readCard(button);
    if (card !== null) showTrayItemProblem(button, listen(card));
  });
}

/** Beside the button that was pressed, until one of them is pressed again. */
export function showTrayItemProblem(button: Element, problem: string | null): void {
  const actions = button.parentElement;
  actions?.querySelector('.problem')?.remove();
  if (problem) actions?.append(createParagraph('problem', problem));
}

/** Shows on all cards, now and of cards to come, and in the tray, which objects were chosen for the
 *  course before. @returns what shows it anew */
export function markPlacedCards({ dataset }: HTMLElement, { inCourse = '', sentBefore = '' }: Words): () => void {
  const read = (json = '[]') => JSON.parse(json) as string[];
  const texts = new Map<string | undefined, string>([
    ...read(dataset.sent).map((address) => [address, sentBefore] as const),
    ...read(dataset.placed).map((address) => [address, inCourse] as const),
  ]);
  const mark = () => {
    for (const card of document.querySelectorAll<HTMLElement>(`${CARD}:not([data-in-course])`)) {
      const text = texts.get(card.dataset.address);
      if (text === undefined) continue;
      card.dataset.inCourse = '';
      const fact = Object.assign(document.createElement('li'), { className: 'in-course', textContent: text });
      card.querySelector('.facts')?.prepend(fact);
    }
    for (const note of document.querySelectorAll<HTMLElement>('[data-address] [data-if-placed]')) {
      const text = texts.get(note.closest<HTMLElement>('[data-address]')?.dataset.address);
      note.hidden = text === undefined;
      note.textContent = text ?? '';
    }
  };
  document.addEventListener(CARDS_SHOWN, mark);
  return mark;
}

/** Shows on all cards whether they are chosen, now and whenever some come into the page. @returns
 *  what shows it anew */
export function markTrayItemCards(isChosen: (address: string) => boolean): () => void {
  const mark = () => {
    for (const button of document.querySelectorAll('[data-add]'))
      button.setAttribute('aria-pressed', String(isChosen(readCard(button)?.address ?? '')));
  };
  document.addEventListener(CARDS_SHOWN, mark);
  return mark;
}
