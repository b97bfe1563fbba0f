/** Enhances the front page: completes words, shows results in place, and marks the page as busy. */

import { completeWhileTyping } from '../complete.ts';
import { offerCopying } from '../copy-buttons.ts';
import { createNewestSignal, endBusyOnReturn, parseHtml } from '../dom.ts';
import { watchFilterBox } from '../filter-box.ts';
import { createLookDialog } from '../look-dialog.ts';

const form = document.querySelector<HTMLFormElement>('#search');
const field = document.querySelector<HTMLInputElement>('#q');

if (field !== null) completeWhileTyping(field, fetchHomeCompletions);
if (form !== null) searchInPlace(form, field);

const box = document.querySelector('#filter-box');
if (box !== null) watchFilterBox(box);

offerCopying();

// Links of earlier versions name parts that have become pages.
const movedTo = { '#tag': '/tags', '#connect': '/connect', '#assistants': '/connect#assistants' }[location.hash];
if (location.pathname === '/' && movedTo !== undefined) location.replace(movedTo);

const preview = document.querySelector<HTMLDialogElement>('#preview');
if (preview !== null) lookInPlace(preview);

document.querySelector('#tag-form')?.addEventListener('submit', ({ target }) => {
  (target as HTMLFormElement).setAttribute('aria-busy', 'true');
});
endBusyOnReturn();

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field?.focus();
});

async function fetchHomeCompletions(words: string, signal: AbortSignal): Promise<string[]> {
  const query = new URLSearchParams({ q: words, lang: document.documentElement.lang });
  const response = await fetch(`/complete?${query}`, { signal });
  return response.ok ? response.json() : [];
}

/** Shows an object in a dialog over the results; on failure, its page opens. */
function lookInPlace(dialog: HTMLDialogElement): void {
  let requestedForm: HTMLFormElement | undefined;
  const look = createLookDialog(dialog, {
    ask: (handle, signal) => postHomeForm('/look', { handle, part: '1' }, signal),
    askLike: (handle, signal) => postHomeForm('/look/like', { handle }, signal),
    show: (place, html) => place.replaceChildren(...parseHtml(html).childNodes),
    // The form leads to the page of the object, as without this script.
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

async function postHomeForm(path: string, fields: Record<string, string>, signal: AbortSignal): Promise<string> {
  const response = await fetch(path, { method: 'POST', body: new URLSearchParams(fields), signal });
  if (!response.ok) throw new Error(`${path} answered with ${response.status}`);
  return response.text();
}

const announcement = document.querySelector<HTMLElement>('#announcement');

let shownQuery = location.search;

/** @param words null if the page browses without words */
function searchInPlace(search: HTMLFormElement, words: HTMLInputElement | null): void {
  const show = createHomeResultsUpdate(search);
  // Removed wishes belong to the previous words.
  words?.addEventListener('input', () => {
    for (const dropped of search.querySelectorAll('[name="without"]')) dropped.remove();
  });
  search.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (!(await show(writeSearchAddress(search)))) return;
    announceHomeResults('');
    findResultsTitle()?.focus({ preventScroll: true });
  });
  // The focus stays: people who go through the options by keyboard are not done yet.
  search.addEventListener('change', async ({ target }) => {
    const isFilter = target instanceof Element && target.matches('select, input[type="radio"], #address');
    if (!isFilter || words?.value.trim() === '') return;
    if (await show(writeSearchAddress(search))) announceHomeResults(findResultsTitle()?.textContent ?? '');
  });
  window.addEventListener('popstate', () => {
    // A fragment link does not lead to another page.
    if (location.search !== shownQuery) location.reload();
  });
}

function writeSearchAddress(search: HTMLFormElement): string {
  const choices = [...new FormData(search)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return `${new URL(search.action).pathname}?${new URLSearchParams(choices)}`;
}

/** Makes a function that shows results, or navigates on failure, and aborts an earlier call. */
function createHomeResultsUpdate(search: HTMLFormElement): (address: string) => Promise<boolean> {
  const next = createNewestSignal();
  return async (address) => {
    const signal = next();
    const current = document.querySelector('#results');
    search.setAttribute('aria-busy', 'true');
    announceHomeResults(search.dataset.searching ?? '');
    if (current === null) return leaveHomeFor(address);
    current.setAttribute('aria-busy', 'true');
    try {
      const response = await fetch(address, { signal });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      if (signal.aborted) return false;
      const results = page.querySelector('#results');
      if (!response.ok || results === null) return leaveHomeFor(address);
      current.replaceWith(results);
      takeOverHomePage(page, response.url);
      search.removeAttribute('aria-busy');
      return true;
    } catch {
      return signal.aborted ? false : leaveHomeFor(address);
    }
  };
}

function takeOverHomePage(page: Document, address: string): void {
  // The heading of a browsed page names the choice.
  const heading = page.querySelector('h1');
  if (heading !== null) document.querySelector('h1')?.replaceWith(heading);
  takeOverHomeFilters(page);
  document.title = page.title;
  history.pushState(null, '', address);
  shownQuery = location.search;
  // Changing the language leads back to these results.
  document.querySelector('#language-next')?.setAttribute('value', location.pathname + location.search);
}

/** Updates the numbers in the options one by one, so that no field loses its focus. */
function takeOverHomeFilters(page: Document): void {
  for (const select of document.querySelectorAll<HTMLSelectElement>('#search select')) {
    const counted = page.querySelector<HTMLSelectElement>(`#${select.id}`);
    for (const option of select.options) {
      const next = [...(counted?.options ?? [])].find(({ value }) => value === option.value);
      option.text = next?.text ?? option.text;
      option.hidden = next?.hidden ?? false;
    }
  }
  for (const mark of document.querySelectorAll<HTMLElement>('#search [data-count]'))
    mark.textContent =
      page.querySelector(`#search [data-count="${CSS.escape(mark.dataset.count ?? '')}"]`)?.textContent ?? '';
  const actions = page.querySelector('#search .filter-actions');
  if (actions !== null) document.querySelector('#search .filter-actions')?.replaceWith(actions);
}

function leaveHomeFor(address: string): false {
  location.assign(address);
  return false;
}

const findResultsTitle = () => document.querySelector<HTMLElement>('#results-title');

function announceHomeResults(text: string): void {
  if (announcement !== null) announcement.textContent = text;
}
