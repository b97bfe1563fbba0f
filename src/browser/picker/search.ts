/** Searches without a new page: by the form, by choosing filters, and by offered words. */

import { completeWhileTyping } from '../complete.ts';
import { createNewestSignal, getElement, onClick, parseHtml } from '../dom.ts';
import { setFilterChoices, watchFilterBox } from '../filter-box.ts';
import * as session from '../lti/session.ts';
import { showSimilarResults, watchMoreResults } from './results.ts';

/** Equals the value in `src/faces/search-view/search-form.ts`. */
const EVERY_TOPIC = 'all';

/** Pause after the last of several filters that are chosen quickly. */
const FILTER_AFTER_MS = 250;

interface Parts {
  readonly form: HTMLFormElement;
  readonly field: HTMLInputElement;
  /** Ids of browsed fields and skills, separated by spaces; empty for a search by words. */
  readonly topic: HTMLInputElement;
  readonly results: HTMLElement;
  readonly similar: HTMLElement;
  readonly start: HTMLElement | null;
  readonly filters: Filters;
  readonly choices: WordChoices;
}

export function watchSearch(): void {
  const form = getElement<HTMLFormElement>('#search');
  const field = getElement<HTMLInputElement>('#q');
  const topic = getElement<HTMLInputElement>('[name="topic"]', form);
  const filters = watchSearchFilters(form, getElement('#filters'), () => search.soon());
  const start = document.querySelector<HTMLElement>('#start');
  const choices = createSearchWordChoices(form, field);
  const results = getElement('#results');
  const similar = getElement('#similar');
  const parts = { form, field, topic, filters, choices, start, results, similar };
  const search = createPickerSearch(parts);

  completeWhileTyping(field, (words, signal) => session.fetchSessionJson('/picker/complete', { q: words }, signal));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    search.now();
  });
  form.addEventListener('change', ({ target }) => {
    if (target !== field) search.soon();
  });
  searchByOffers(parts, search);
  // A reloaded page has a search, and so has one that was submitted before this script ran.
  if (field.value.trim() !== '' || topic.value !== '') search.now();
  const words = start?.querySelector<HTMLElement>('[data-similar]')?.dataset.similar;
  if (words) void showSimilarResults(getElement('#start-similar'), words);
}

type Search = ReturnType<typeof createPickerSearch>;

function searchByOffers({ field, topic, filters, choices, form }: Parts, search: Search): void {
  const panel = form.closest<HTMLElement>('[role="tabpanel"]') ?? form;
  onClick(panel, '[data-search], [data-topic], [data-narrow], [data-without], [data-drop], [data-retry]', (offer) => {
    const { search: words, topic: browsed, narrow, without, drop } = offer.dataset;
    if (offer.hasAttribute('data-alone')) filters.dropAll();
    if (words !== undefined) field.value = words;
    if (browsed !== undefined) [field.value, topic.value] = ['', browsed];
    if (narrow !== undefined) choices.narrow(narrow);
    if (without !== undefined) choices.dropWish(without);
    if (drop !== undefined) filters.drop(drop.split(' '));
    search.now();
  });
}

/** Starts searches, each of which aborts the one before. */
function createPickerSearch(parts: Parts) {
  const next = createNewestSignal();
  let timer = 0;
  const runSearch = (movesFocus: boolean) => {
    clearTimeout(timer);
    void searchOnce(parts, { movesFocus, signal: next() });
  };
  return {
    now: () => runSearch(true),
    /** Keeps the focus: people who go through the filters by keyboard are not done yet. */
    soon(): void {
      clearTimeout(timer);
      if (parts.field.value.trim() !== '' || parts.form.hasAttribute('data-browses'))
        timer = setTimeout(() => runSearch(false), FILTER_AFTER_MS);
    },
  };
}

async function searchOnce(
  parts: Parts,
  { movesFocus, signal }: { readonly movesFocus: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { form, field, results, start } = parts;
  parts.choices.endWithWords();
  // Words are searched for everywhere; without them everything is browsed, if possible.
  if (field.value.trim() !== '') parts.topic.value = '';
  else if (form.hasAttribute('data-browses')) parts.topic.value ||= EVERY_TOPIC;
  const query = session.toSessionParams(new FormData(form));
  query.delete('launch');
  keepSearchInAddress(query);
  setSearchBusy(parts, true);
  session.announceStatus(results.dataset.loading ?? '');
  void showSimilarResults(parts.similar, field.value.trim(), signal);
  try {
    const html = await session.fetchSessionFragment('/picker/results', query, signal);
    if (signal.aborted) return;
    session.showSessionFragment(results, html);
    if (start !== null) start.hidden = true;
    showSearchProblems(parts);
    const { facets = 'null' } = results.querySelector<HTMLElement>('[data-facets]')?.dataset ?? {};
    parts.filters.showFacets(JSON.parse(facets));
    watchMoreResults(results, query, signal);
    if (movesFocus) moveSearchFocus(parts);
  } catch (error) {
    session.showSessionProblem(results, error);
  } finally {
    if (!signal.aborted) setSearchBusy(parts, false);
  }
}

function setSearchBusy({ form, results }: Parts, isBusy: boolean): void {
  for (const element of [form, results]) element.setAttribute('aria-busy', String(isBusy));
}

function showSearchProblems({ form, results }: Parts): void {
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  }
  const problem = results.querySelector<HTMLElement>('[data-field]');
  if (problem === null) return;
  const field = form.querySelector(`[name="${CSS.escape(problem.dataset.field ?? '')}"]`);
  field?.setAttribute('aria-invalid', 'true');
  field?.setAttribute('aria-describedby', problem.id);
}

/** Moves the focus to the problem, else to the results. Screen readers read the focused element. */
function moveSearchFocus({ form, results }: Parts): void {
  const wrong = form.querySelector<HTMLElement>('[aria-invalid]');
  const target = wrong ?? results.querySelector<HTMLElement>('#results-title');
  if (target === null) return;
  session.announceStatus('');
  target.focus({ preventScroll: target !== wrong });
}

/** Puts the search into the address of the page, so that a reload shows it. */
function keepSearchInAddress(query: URLSearchParams): void {
  const launch = new URLSearchParams(location.search).get('launch');
  const addressQuery = new URLSearchParams([...(launch === null ? [] : [['launch', launch]]), ...query]);
  history.replaceState(history.state, '', `?${addressQuery}`);
}

type WordChoices = ReturnType<typeof createSearchWordChoices>;

/** Choices that last as long as the words of the search. */
function createSearchWordChoices(form: HTMLFormElement, field: HTMLInputElement) {
  const hidden = (name: string) => getElement<HTMLInputElement>(`[name="${name}"]`, form);
  const model = hidden('model');
  const without = hidden('without');
  let words = field.value.trim();
  return {
    /** Requires all words: a search for the most important ones finds more with every word. */
    narrow(term: string): void {
      field.value = words = `${field.value.trim()} ${term}`.trim();
      model.value = 'strict';
    },
    dropWish(kind: string): void {
      without.value = `${without.value} ${kind}`.trim();
    },
    /** Ends the choices that belong to former words. */
    endWithWords(): void {
      const isSame = field.value.trim() === words;
      words = field.value.trim();
      if (!isSame) for (const choice of [model, without]) choice.value = '';
    },
  };
}

type Facets = Readonly<Record<string, Readonly<Record<string, number>>>>;
type Filters = ReturnType<typeof watchSearchFilters>;

/** @param reset called when the filters have the tenant's defaults again */
function watchSearchFilters(form: HTMLFormElement, place: HTMLElement, reset: () => void) {
  const refresh = watchFilterBox(place);
  onClick(place, '#filter-reset', () => {
    setFilterChoices(place, ({ dataset: { begin = '' } }) => begin);
    refresh();
    reset();
  });
  if (form.dataset.lists === 'late') void loadLateSearchPart(form, place).then(refresh);

  const dropFromSearch = (isDropped: (name: string) => boolean) => {
    setFilterChoices(place, ({ name }) => (isDropped(name) ? '' : undefined));
    refresh();
  };
  return {
    drop: (names: readonly string[]) => dropFromSearch((name) => names.includes(name)),
    dropAll: () => dropFromSearch((name) => name !== 'sort'),
    /** Shows the number of results by field and value; null removes the numbers. */
    showFacets: (facets: Facets | null) => showSearchFacets(place, facets),
  };
}

function showSearchFacets(place: HTMLElement, facets: Facets | null): void {
  const count = (field: string, value: string) => {
    const counts = facets?.[field];
    return counts === undefined ? '' : ` (${(counts[value] ?? 0).toLocaleString(document.documentElement.lang)})`;
  };
  for (const option of place.querySelectorAll<HTMLOptionElement>('option[data-name]')) {
    const field = option.closest('select')?.name ?? '';
    option.text = (option.dataset.name ?? '') + count(field, option.value);
    const isEmpty = facets?.[field] !== undefined && !facets[field][option.value];
    option.hidden = isEmpty && !option.selected;
  }
  for (const mark of place.querySelectorAll<HTMLElement>('[data-count]'))
    mark.textContent = count('bloom', mark.dataset.count ?? '');
}

/** Loads lists that are not part of the page yet. Choices and the state of the box stay. */
async function loadLateSearchPart(form: HTMLFormElement, place: HTMLElement): Promise<void> {
  const readSearchChoices = () => session.toSessionParams(new FormData(form));
  const html = await session.fetchSessionFragment('/picker/filters', readSearchChoices()).catch(() => null);
  if (html === null) return;
  const choices = readSearchChoices();
  const isOpen = place.querySelector('details')?.open === true;
  place.replaceChildren(...parseHtml(html).childNodes);
  place.querySelector('details')?.toggleAttribute('open', isOpen);
  setFilterChoices(place, ({ name }) => choices.get(name) ?? '');
}
