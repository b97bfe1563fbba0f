/** A row of the tray: a copy of the template of `views/lti/partials/tray-item.eta`. */

import { fillWords, getElement, parseHtml, type Words } from '../dom.ts';
import type { TrayItem } from './tray-items.ts';
import { fillCount } from './tray-total.ts';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Fields = Partial<Record<string, Field>>;

export function createRow(template: HTMLTemplateElement, item: TrayItem, words: Words): HTMLLIElement {
  const row = getElement<HTMLLIElement>('li', template.content).cloneNode(true) as HTMLLIElement;
  row.dataset.address = item.address;
  row.querySelector('[data-cover]')?.append(...parseHtml(item.cover).childNodes);
  const { graded: _, points: __, ...texts } = fieldsOf(row);
  for (const [name, field] of Object.entries(texts))
    if (field !== undefined) field.value = String(item[name as keyof TrayItem]);
  gradeTrayRow(row, item, words);
  checkRow(row, item, words);
  return row;
}

export function gradeTrayRow(row: HTMLElement, item: TrayItem, words: Words): void {
  const { graded, points } = fieldsOf(row);
  if (graded instanceof HTMLInputElement) graded.checked = item.points !== null;
  if (points !== undefined && item.points !== null) points.value = item.points;
  showGrading(row, item, words);
}

/** Values without a field in the row stay. */
export function readTrayRow(row: HTMLElement, item: TrayItem, words: Words): void {
  const { graded, points, ...texts } = fieldsOf(row);
  const isGraded = graded instanceof HTMLInputElement && graded.checked;
  for (const [name, field] of Object.entries(texts))
    if (field !== undefined) Object.assign(item, { [name]: field.value });
  item.points = isGraded && points !== undefined ? points.value : null;
  showGrading(row, item, words);
  checkRow(row, item, words);
}

/** Problems are shown in the reader's words, and so is an item's original title. */
function checkRow(row: HTMLElement, item: TrayItem, words: Words): void {
  const { title, availableUntil, submitUntil } = fieldsOf(row);
  const { availableFrom: from } = item;
  const refuse = (field: Field | undefined, isWrong: boolean, problem: string | undefined) =>
    field?.setCustomValidity(isWrong ? (problem ?? '') : '');
  const isTooEarly = (until: string) => from !== '' && until !== '' && until <= from;
  refuse(title, item.title.trim() === '', words.noTitle);
  refuse(availableUntil, isTooEarly(item.availableUntil), words.wrongPeriod);
  refuse(submitUntil, isTooEarly(item.submitUntil), words.wrongDeadline);
  showOrigin(row, item);
}

/** Only if the title does not identify the object. */
function showOrigin(row: HTMLElement, { name, provider, title }: TrayItem): void {
  const origin = row.querySelector<HTMLElement>('[data-origin]');
  if (origin === null) return;
  const isRenamed = title.trim() !== name.trim();
  origin.textContent = [provider, isRenamed ? name : ''].filter((part) => part !== '').join(' · ');
  origin.hidden = origin.textContent === '';
}

/** Fields for grading are neither shown nor checked without it. */
function showGrading(row: HTMLElement, { points }: TrayItem, words: Words): void {
  const isGraded = points !== null;
  const chip = row.querySelector('[data-points-chip]');
  chip?.classList.toggle('is-on', isGraded);
  if (chip !== null) chip.textContent = isGraded ? fillCount(words, 'points', Number(points)) : (words.noPoints ?? '');
  for (const part of row.querySelectorAll<HTMLElement>('[data-if-graded]')) {
    part.hidden = !isGraded;
    const field = part.querySelector('input');
    if (field !== null) field.disabled = !isGraded;
  }
}

export function labelTrayRow(row: HTMLElement, item: TrayItem, { words, isFirst, isLast }: RowPlace): void {
  const label = (selector: string, text: string | undefined) =>
    row.querySelector(selector)?.setAttribute('aria-label', fillWords(text, { title: item.title || item.name }));
  label('[data-move="-1"]', words.moveUp);
  label('[data-move="1"]', words.moveDown);
  label('[data-remove]', words.remove);
  label('summary', words.settings);
  const chip = row.querySelector('[data-points-chip]');
  chip?.setAttribute('aria-label', `${chip.textContent}: ${item.title || item.name}`);
  // Not disabled: a disabled button loses the focus just when somebody moves an item to the end.
  row.querySelector('[data-move="-1"]')?.setAttribute('aria-disabled', String(isFirst));
  row.querySelector('[data-move="1"]')?.setAttribute('aria-disabled', String(isLast));
}

interface RowPlace {
  readonly words: Words;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function fieldsOf(row: HTMLElement): Fields {
  const fields = [...row.querySelectorAll<Field>('[data-field]')];
  return Object.fromEntries(fields.map((field) => [field.dataset.field ?? '', field]));
}
