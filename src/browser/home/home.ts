import { completeWhileTyping } from '../complete.ts';
import { offerCopying } from '../copy-buttons.ts';
import { parseHtml } from '../dom.ts';
import { watchFilterBox } from '../filter-box.ts';
import { createLookDialog } from '../look-dialog.ts';
import { searchInPlace } from './search-in-place.ts';

/** Enhances the front page: completes words, shows results in place, and marks the page as busy. */

const form = document.querySelector<HTMLFormElement>('#search');
const field = document.querySelector<HTMLInputElement>('#q');

if (field !== null) completeWhileTyping(field, fetchCompletions);
if (form !== null) searchInPlace(form, field);

const box = document.querySelector('#filter-box');
if (box !== null) watchFilterBox(box);

offerCopying();

// Old links to parts that are now pages.
const moved = { '#tag': '/tags', '#connect': '/connect', '#assistants': '/connect#assistants' }[location.hash];
if (location.pathname === '/' && moved !== undefined) location.replace(moved);

const preview = document.querySelector<HTMLDialogElement>('#preview');
if (preview !== null) lookInPlace(preview);

document.querySelector('#tag-form')?.addEventListener('submit', ({ target }) => {
  (target as HTMLFormElement).setAttribute('aria-busy', 'true');
});
// The browser restored the page from its cache.
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

async function fetchCompletions(words: string, signal: AbortSignal): Promise<string[]> {
  const query = new URLSearchParams({ q: words, lang: document.documentElement.lang });
  const response = await fetch(`/complete?${query}`, { signal });
  return response.ok ? response.json() : [];
}

/** Shows an object in a dialog over the results; on failure, its page opens. */

function lookInPlace(dialog: HTMLDialogElement): void {
  let requestedForm: HTMLFormElement | undefined;
  const look = createLookDialog(dialog, {
    ask: (handle, signal) => post('/look', { handle, part: '1' }, signal),
    askLike: (handle, signal) => post('/look/like', { handle }, signal),
    show: (place, html) => place.replaceChildren(...parseHtml(html).childNodes),
    // As without this script.
    fail: () => requestedForm?.submit(),
  });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.getAttribute('action') !== '/look') return;
    const handle = new FormData(form).get('handle');
    if (typeof handle !== 'string') return;
    event.preventDefault();
    requestedForm = form;
    void look(handle);
  });
}

async function post(path: string, fields: Record<string, string>, signal: AbortSignal): Promise<string> {
  const response = await fetch(path, { method: 'POST', body: new URLSearchParams(fields), signal });
  if (!response.ok) throw new Error(`${path} answered with ${response.status}`);
  return response.text();
}
