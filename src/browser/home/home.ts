/** The front page works without this. It completes words as they are typed, shows results without a new page, and shows
 *  that something is on its way. */

import { offerCopying } from '../copy-buttons.ts';
import { watchFilterBox } from '../filter-box.ts';
import { completeWhileTyping } from './complete.ts';
import { lookInPlace } from './look.ts';
import { searchInPlace } from './search-in-place.ts';

const form = document.querySelector<HTMLFormElement>('#search');
const field = document.querySelector<HTMLInputElement>('#q');
const completions = document.querySelector<HTMLDataListElement>('#completions');

if (field !== null && completions !== null) completeWhileTyping(field, completions);
if (form !== null) searchInPlace(form, field);

const box = document.querySelector<HTMLDetailsElement>('#filter-box');
if (box !== null) {
  watchFilterBox(box);
  // Where there is little room the results come first.
  box.open = !matchMedia('(max-width: 40rem), (max-height: 40rem)').matches;
}

offerCopying();

const preview = document.querySelector<HTMLDialogElement>('#preview');
if (preview !== null) lookInPlace(preview);

document.querySelector('#tag-form')?.addEventListener('submit', ({ target }) => {
  (target as HTMLFormElement).setAttribute('aria-busy', 'true');
});
// The browser brought the page back as it was kept.
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  for (const busy of document.querySelectorAll('[aria-busy]')) busy.removeAttribute('aria-busy');
});

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field?.focus();
});
