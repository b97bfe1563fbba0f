/** What is chosen, in its order, and how it is kept while the window is open. */

export interface TrayItem {
  /** The object, sealed by the host. */
  readonly handle: string;
  /** Address of the object without what makes no difference: each is chosen once. */
  readonly address: string;
  /** As the object is called by itself, and who has it; empty where that is not known. */
  readonly name: string;
  readonly provider: string;
  /** As it is to be called in the course. */
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

const KEPT_MS = 4 * 3_600_000;

/** What a card says of its object. */
export type ChosenCard = Pick<TrayItem, 'handle' | 'address' | 'name' | 'provider'>;

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

type BegunItem = ChosenCard & Partial<TrayItem>;

/** What was kept under the key, else what is chosen from the start. */
export function loadItems(key: string, initial: string, defaults: ItemDefaults): TrayItem[] {
  const begun = readKept(key) ?? (JSON.parse(initial) as BegunItem[]);
  return begun.map((item) => {
    const points = item.points === undefined || item.points === null ? null : String(item.points);
    return { ...newItem(item, defaults), ...item, points };
  });
}

/** Where a browser keeps nothing, the selection lasts as long as the page. */
export function keepItems(key: string, items: readonly TrayItem[]): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ keptAt: Date.now(), items }));
  } catch {
    // It is forbidden, or full.
  }
}

/** Null where there is nothing, or only what nobody remembers choosing any more. */
function readKept(key: string): BegunItem[] | null {
  try {
    const { keptAt, items } = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return Date.now() - keptAt < KEPT_MS ? items : null;
  } catch {
    return null;
  }
}

/** For the host: the field `chosen` of the form. */
export function toChosen(items: readonly TrayItem[]): string {
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
