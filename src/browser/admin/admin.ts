/** Folds the menu, copies secrets, marks submitted forms as busy, and helps to fill them in. */

import { offerCopying } from '../copy-buttons.ts';
import { endBusyOnReturn, fillWords } from '../dom.ts';
import { improveUploadForm, improveUpstreamForm, keepFormPreview } from './live-forms.ts';
import { checkConnections, followImport } from './live-parts.ts';

const { lang } = document.documentElement;
const menu = document.querySelector<HTMLDetailsElement>('.menu details');
const narrow = matchMedia('(max-width: 50rem)');
if (menu !== null) {
  // Wide windows have no button to unfold the menu.
  const foldMenu = () => {
    menu.open = !narrow.matches;
  };
  foldMenu();
  narrow.addEventListener('change', foldMenu);
}

offerCopying();

document.addEventListener('submit', ({ target, defaultPrevented }) => {
  if (defaultPrevented) return;
  // After a download the page stays as it is.
  if (target instanceof HTMLFormElement && !('download' in target.dataset)) {
    target.setAttribute('aria-busy', 'true');
  }
});
endBusyOnReturn();

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-auto]'))
  form.addEventListener('change', () => form.requestSubmit());
for (const part of document.querySelectorAll<HTMLElement>('[data-without-script]')) part.hidden = true;
const localTime = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'long' });
for (const time of document.querySelectorAll<HTMLTimeElement>('time[title]'))
  time.title = [localTime.format(new Date(time.dateTime)), time.title].filter(Boolean).join(' · ');
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-live]')) keepFormPreview(form);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-test]')) improveUpstreamForm(form);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-upload]')) improveUploadForm(form);
for (const part of document.querySelectorAll<HTMLElement>('[data-filter]')) watchFilterField(part);
for (const line of document.querySelectorAll<HTMLElement>('[data-ticked]')) countTickedFields(line);
for (const picker of document.querySelectorAll<HTMLInputElement>('[data-picker-for]')) joinColourField(picker);
const importPanel = document.querySelector<HTMLElement>('[data-import]');
if (importPanel !== null) void followImport(importPanel);
const unchecked = [...document.querySelectorAll<HTMLElement>('[data-health]')];
if (unchecked.length > 0) void checkConnections(unchecked);

/** Shows only the boxes whose label has the typed words. */
function watchFilterField(part: HTMLElement): void {
  const input = part.querySelector('input');
  const status = part.querySelector('[role="status"]');
  const boxes = document.querySelector(`#${part.dataset.filter}`);
  if (input === null || boxes === null) return;
  part.hidden = false;
  input.addEventListener('input', () => {
    const words = foldText(input.value);
    const labels = [...boxes.querySelectorAll('label')];
    for (const label of labels) label.hidden = !foldText(label.textContent ?? '').includes(words);
    const visibleCount = labels.filter((label) => !label.hidden).length;
    const numbers = { shown: visibleCount.toLocaleString(lang), total: labels.length.toLocaleString(lang) };
    if (status !== null) status.textContent = fillWords(part.dataset.count, numbers);
  });
  // Enter must not submit the form here.
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault();
  });
}

function countTickedFields(line: HTMLElement): void {
  const boxes = document.querySelector(`#${line.dataset.ticked}`);
  boxes?.addEventListener('change', () => {
    const ticked = boxes.querySelectorAll(':checked').length;
    line.textContent =
      ticked === 0 ? (line.dataset.none ?? '') : fillWords(line.dataset.some, { ticked: ticked.toLocaleString(lang) });
  });
}

function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .trim();
}

/** Keeps the text field of a colour and its colour picker equal. */
function joinColourField(picker: HTMLInputElement): void {
  const field = document.querySelector<HTMLInputElement>(`#${picker.dataset.pickerFor}`);
  if (field === null) return;
  picker.hidden = false;
  picker.addEventListener('input', () => {
    field.value = picker.value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  field.addEventListener('input', () => {
    if (/^#[0-9a-f]{6}$/i.test(field.value.trim())) picker.value = field.value.trim().toLowerCase();
  });
}
