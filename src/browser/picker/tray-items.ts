import { createParagraph, onClick, type Words } from '../dom.ts';
import { CARDS_SHOWN } from '../lti/session.ts';
import { readSelectionForCourse } from './saved-selection.ts';

const CARD = '[data-handle]';

export interface TrayItem {
  readonly handle: string;
  /** The normalized address, as each object is chosen once. */
  readonly address: string;
  readonly name: string;
  readonly provider: string;
  readonly minutes: number | null;
  /** Picture or drawing as HTML of the host. */
  readonly cover: string;
  title: string;
  completion: string;
  /** The points as typed; null without grading. */
  points: string | null;
  /** `iframe` or `window`; empty if the platform decides. */
  target: string;
  /** The reader's local time in the format of the field; empty for none. */
  availableFrom: string;
  availableUntil: string;
  submitUntil: string;
}

export type ChosenCard = Pick<TrayItem, 'handle' | 'address' | 'name' | 'provider' | 'minutes' | 'cover'>;

export interface ItemDefaults {
  readonly maxTitleLength: number;
  readonly completion: string;
  readonly target: string;
}

export function makeTrayItem(card: ChosenCard, { maxTitleLength, completion, target }: ItemDefaults): TrayItem {
  const title = card.name.trim().slice(0, maxTitleLength);
  const undated = { availableFrom: '', availableUntil: '', submitUntil: '' };
  return { ...card, title, completion, points: null, target, ...undated };
}

/** A stored or initial item; those of older versions have no cover. */
type BegunItem = Omit<ChosenCard, 'minutes' | 'cover'> & Partial<TrayItem>;

/** Loads the stored selection, else the initial one. */
export function loadTrayItems(key: string, initial: string, defaults: ItemDefaults): TrayItem[] {
  const begun = readSelectionForCourse<BegunItem[]>(key) ?? (JSON.parse(initial) as BegunItem[]);
  return begun.map((item) => {
    const points = item.points === undefined || item.points === null ? null : String(item.points);
    return { ...makeTrayItem({ minutes: null, cover: '', ...item }, defaults), ...item, points };
  });
}

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

const toMoment = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

function readTrayItemCard(element: Element): ChosenCard | null {
  const card = element.closest<HTMLElement>(CARD);
  const { handle, address, title, provider = '', minutes } = card?.dataset ?? {};
  if (!handle || !address) return null;
  const cover = card?.querySelector('.thumb')?.outerHTML ?? '';
  return { handle, address, name: title || address, provider, minutes: minutes ? Number(minutes) : null, cover };
}

/** Reads the objects of all cards, each once. `isNew` omits those that the course has. */
export function readTrayItemCards(within: Element, { isNew = false } = {}): ChosenCard[] {
  const cards = [...within.querySelectorAll(isNew ? `${CARD}:not([data-in-course])` : CARD)]
    .map(readTrayItemCard)
    .filter((card) => card !== null);
  return [...new Map(cards.map((card) => [card.address, card])).values()];
}

/** Listens to "Add" on cards, also later ones. `listen` gives a problem for the card, or null. */
export function listenToTrayAdding(listen: (card: ChosenCard) => string | null): void {
  onClick(document, '[data-add]', (button) => {
    const card = readTrayItemCard(button);
    if (card !== null) showTrayItemProblem(button, listen(card));
  });
}

export function showTrayItemProblem(button: Element, problem: string | null): void {
  const actions = button.parentElement;
  actions?.querySelector('.problem')?.remove();
  if (problem) actions?.append(createParagraph('problem', problem));
}

/** Marks objects that the course has, on all cards. @returns a function that updates the marks */
export function markPlacedCards({ dataset }: HTMLElement, { inCourse = '', sentBefore = '' }: Words): () => void {
  const readList = (json = '[]') => JSON.parse(json) as string[];
  const texts = new Map<string | undefined, string>([
    ...readList(dataset.sent).map((address) => [address, sentBefore] as const),
    ...readList(dataset.placed).map((address) => [address, inCourse] as const),
  ]);
  const markCards = () => {
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
  document.addEventListener(CARDS_SHOWN, markCards);
  return markCards;
}

/** Marks chosen objects on all cards. @returns a function that updates the marks */
export function markTrayItemCards(isChosen: (address: string) => boolean): () => void {
  const markButtons = () => {
    for (const button of document.querySelectorAll('[data-add]'))
      button.setAttribute('aria-pressed', String(isChosen(readTrayItemCard(button)?.address ?? '')));
  };
  document.addEventListener(CARDS_SHOWN, markButtons);
  return markButtons;
}

/** Finds the section of a plan that contains a button, else the whole plan. */
export const findPlanPart = (button: Element, result: Element): Element => button.closest('[data-section]') ?? result;
