import { fillWords, getElement, onClick, parseHtml, type Words } from '../dom.ts';
import { keepSelectionForCourse } from './saved-selection.ts';
import { type ChosenCard, type ItemDefaults, loadTrayItems, makeTrayItem, type TrayItem } from './tray-items.ts';
import { fillTrayCount } from './tray-total.ts';

type MoveTo = (row: HTMLElement, place: number) => void;
export type TrayList = ReturnType<typeof createTrayList>;

interface TrayListOptions {
  readonly key: string;
  readonly initial: string;
  readonly template: HTMLTemplateElement;
  readonly defaults: ItemDefaults;
  readonly words: Words;
  /** Gives the points of added items, as typed; null without grading. */
  pointsOfNew(): string | null;
  onChange(): void;
}

/** The items with their rows, which change together; each change is kept and reported. */
export function createTrayList(element: HTMLElement, options: TrayListOptions) {
  const { key, initial, template, defaults, words, pointsOfNew, onChange } = options;
  const items = loadTrayItems(key, initial, defaults);
  const find = (address: string | undefined) => items.find((item) => item.address === address);
  const changed = () => {
    keepSelectionForCourse(key, items);
    labelTrayRows(element, items, words);
    onChange();
  };
  const append = (added: readonly TrayItem[]) =>
    element.append(...added.map((item) => createTrayRow(template, item, words)));
  const insert = (added: readonly TrayItem[]) => {
    items.push(...added);
    append(added);
    changed();
  };
  const changeAll = (change: (item: TrayItem, row: HTMLElement) => void) => {
    for (const [place, item] of items.entries()) change(item, element.children[place] as HTMLElement);
    changed();
  };
  append(items);
  labelTrayRows(element, items, words);
  return {
    items,
    find,
    put: (cards: readonly ChosenCard[], points: string | null = pointsOfNew()): void =>
      insert(cards.map((card) => ({ ...makeTrayItem(card, defaults), points }))),
    restore: (before: readonly TrayItem[], max: number): void =>
      insert(before.filter(({ address }) => find(address) === undefined).slice(0, max - items.length)),
    take(item: TrayItem): void {
      element.children[items.indexOf(item)]?.remove();
      items.splice(items.indexOf(item), 1);
      changed();
    },
    move(row: HTMLElement, targetIndex: number) {
      const moved = moveTrayItem(items, { element, row, targetIndex });
      if (moved !== null) changed();
      return moved;
    },
    read(row: HTMLElement): void {
      const item = find(row.dataset.address);
      if (item !== undefined) readTrayRow(row, item, words);
      changed();
    },
    /** Gives all items these points, as typed; null without grading. */
    gradeAll: (points: string | null): void =>
      changeAll((item, row) => gradeTrayRow(row, Object.assign(item, { points }), words)),
    setAll: (name: string, value: string): void =>
      changeAll((item, row) => {
        setTrayRowField(row, name, value);
        readTrayRow(row, item, words);
      }),
    copy: (): TrayItem[] => items.map((item) => ({ ...item })),
    reset(before: readonly TrayItem[]): void {
      items.length = 0;
      element.replaceChildren();
      insert(before);
    },
  };
}

/** Moves a row and its item, within the list. @returns the item with its old and new index; null if
 *  the list has no such row */
function moveTrayItem(
  items: TrayItem[],
  { element, row, targetIndex }: { element: HTMLElement; row: HTMLElement; targetIndex: number },
) {
  const from = [...element.children].indexOf(row);
  const to = Math.min(Math.max(targetIndex, 0), items.length - 1);
  const item = items[from];
  if (item === undefined) return null;
  items.splice(from, 1);
  items.splice(to, 0, item);
  if (to !== from) element.children[to]?.[to > from ? 'after' : 'before'](row);
  return { item, from, to };
}

function labelTrayRows(element: HTMLElement, items: readonly TrayItem[], words: Words): void {
  for (const [place, item] of items.entries()) {
    const row = element.children[place] as HTMLElement | undefined;
    const ends = { isFirst: place === 0, isLast: place === items.length - 1 };
    if (row !== undefined) labelTrayRow(row, item, { words, ...ends });
  }
}

export function reorderTrayByButtons(list: HTMLElement, moveTo: MoveTo): void {
  onClick(list, '[data-move]', (button) => moveTrayRowBy(button, Number(button.dataset.move), moveTo));
}

export function reorderTrayByKeys(list: HTMLElement, moveTo: MoveTo): void {
  list.addEventListener('keydown', (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    // Alt and an arrow key open a list of options, and a calendar.
    const opens = (event.target as Element).matches('select, [type=datetime-local]');
    if (step === undefined || !event.altKey || opens) return;
    event.preventDefault();
    moveTrayRowBy(event.target as Element, step, moveTo);
  });
}

function moveTrayRowBy(within: Element, step: number, moveTo: MoveTo): void {
  const row = within.closest('li');
  if (row !== null) moveTo(row, findTrayRowPlace(row) + step);
}

/** Lets rows be dragged: a row follows the pointer and stays where it is dropped. */
export function reorderTrayByDragging(list: HTMLElement, moveTo: MoveTo): void {
  let dragged: HTMLElement | null = null;
  list.addEventListener('dragstart', ({ target, dataTransfer }) => {
    dragged = target instanceof Element && target.matches('.tray-grip') ? target.closest('li') : null;
    if (dragged === null || dataTransfer === null) return;
    dataTransfer.effectAllowed = 'move';
    dataTransfer.setDragImage(dragged, 0, 0);
    dragged.classList.add('is-dragged');
  });
  list.addEventListener('dragover', (event) => {
    const over = event.target instanceof Element ? event.target.closest('li') : null;
    if (dragged === null || over === null) return;
    event.preventDefault();
    if (over !== dragged) moveTo(dragged, findTrayRowPlace(over));
  });
  list.addEventListener('drop', (event) => event.preventDefault());
  list.addEventListener('dragend', () => {
    dragged?.classList.remove('is-dragged');
    dragged = null;
  });
}

const findTrayRowPlace = (row: Element) => [...(row.parentElement?.children ?? [])].indexOf(row);

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Fields = Partial<Record<string, Field>>;

/** Makes a row from the template of `views/lti/partials/tray-item.eta`. */
function createTrayRow(template: HTMLTemplateElement, item: TrayItem, words: Words): HTMLLIElement {
  const row = getElement<HTMLLIElement>('li', template.content).cloneNode(true) as HTMLLIElement;
  row.dataset.address = item.address;
  row.querySelector('[data-cover]')?.append(...parseHtml(item.cover).childNodes);
  const { graded: _, points: __, ...texts } = listTrayRowFields(row);
  for (const name of Object.keys(texts)) setTrayRowField(row, name, String(item[name as keyof TrayItem]));
  gradeTrayRow(row, item, words);
  checkTrayRow(row, item, words);
  return row;
}

function gradeTrayRow(row: HTMLElement, item: TrayItem, words: Words): void {
  const { graded, points } = listTrayRowFields(row);
  if (graded instanceof HTMLInputElement) graded.checked = item.points !== null;
  if (points !== undefined && item.points !== null) points.value = item.points;
  showTrayRowGrading(row, item, words);
}

/** Reads the fields of a row into its item; values without a field stay. */
function readTrayRow(row: HTMLElement, item: TrayItem, words: Words): void {
  const { graded, points, ...texts } = listTrayRowFields(row);
  const isGraded = graded instanceof HTMLInputElement && graded.checked;
  for (const [name, field] of Object.entries(texts))
    if (field !== undefined) Object.assign(item, { [name]: field.value });
  item.points = isGraded && points !== undefined ? points.value : null;
  showTrayRowGrading(row, item, words);
  checkTrayRow(row, item, words);
}

/** Shows the problems of a row in the reader's words, and the original title of its item. */
function checkTrayRow(row: HTMLElement, item: TrayItem, words: Words): void {
  const { title, availableUntil, submitUntil } = listTrayRowFields(row);
  const { availableFrom: from } = item;
  const refuse = (field: Field | undefined, isWrong: boolean, problem: string | undefined) =>
    field?.setCustomValidity(isWrong ? (problem ?? '') : '');
  const isTooEarly = (until: string) => from !== '' && until !== '' && until <= from;
  refuse(title, item.title.trim() === '', words.noTitle);
  refuse(availableUntil, isTooEarly(item.availableUntil), words.wrongPeriod);
  refuse(submitUntil, isTooEarly(item.submitUntil), words.wrongDeadline);
  showTrayRowOrigin(row, item);
}

function showTrayRowOrigin(row: HTMLElement, { name, provider, title }: TrayItem): void {
  const origin = row.querySelector<HTMLElement>('[data-origin]');
  if (origin === null) return;
  const isRenamed = title.trim() !== name.trim();
  origin.textContent = [provider, isRenamed ? name : ''].filter((part) => part !== '').join(' · ');
  origin.hidden = origin.textContent === '';
}

/** Shows whether an item is graded. Without grading, its fields are neither shown nor checked. */
function showTrayRowGrading(row: HTMLElement, { points }: TrayItem, words: Words): void {
  const isGraded = points !== null;
  const chip = row.querySelector('[data-points-chip]');
  chip?.classList.toggle('is-on', isGraded);
  if (chip !== null)
    chip.textContent = isGraded ? fillTrayCount(words, 'points', Number(points)) : (words.noPoints ?? '');
  for (const part of row.querySelectorAll<HTMLElement>('[data-if-graded]')) {
    part.hidden = !isGraded;
    const field = part.querySelector('input');
    if (field !== null) field.disabled = !isGraded;
  }
}

function labelTrayRow(
  row: HTMLElement,
  item: TrayItem,
  { words, isFirst, isLast }: { words: Words; isFirst: boolean; isLast: boolean },
): void {
  const label = (selector: string, text: string | undefined) =>
    row.querySelector(selector)?.setAttribute('aria-label', fillWords(text, { title: item.title || item.name }));
  label('[data-move="-1"]', words.moveUp);
  label('[data-move="1"]', words.moveDown);
  label('[data-remove]', words.remove);
  label('summary', words.settings);
  const chip = row.querySelector('[data-points-chip]');
  chip?.setAttribute('aria-label', `${chip.textContent}: ${item.title || item.name}`);
  // `disabled` would take the focus from the button when somebody moves an item to the end.
  row.querySelector('[data-move="-1"]')?.setAttribute('aria-disabled', String(isFirst));
  row.querySelector('[data-move="1"]')?.setAttribute('aria-disabled', String(isLast));
}

function setTrayRowField(row: HTMLElement, name: string, value: string): void {
  const field = listTrayRowFields(row)[name];
  if (field !== undefined) field.value = value;
}

function listTrayRowFields(row: HTMLElement): Fields {
  const fields = [...row.querySelectorAll<Field>('[data-field]')];
  return Object.fromEntries(fields.map((field) => [field.dataset.field ?? '', field]));
}
