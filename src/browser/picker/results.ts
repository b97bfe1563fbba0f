/** More results are added on request, or when the end of the list comes into view. */

import { createParagraph, fillWords, getElement, onClick, parseHtml } from '../dom.ts';
import { announceStatus, CARDS_SHOWN, fetchSessionFragment, toSessionMessage } from '../lti/session.ts';

/** After so many pages only the button loads more, so that the content below can be reached. */
const MAX_BY_ITSELF = 4;

/** Loads more results by the button, or when the end is near.
 *  @param query of the search that the place shows @param signal aborted by another search */
export function watchMoreResults(place: HTMLElement, query: URLSearchParams, signal: AbortSignal): void {
  let isLoading = false;
  let loadedByItself = 0;

  async function loadMoreResults(hasFocus: boolean): Promise<void> {
    const button = place.querySelector<HTMLButtonElement>('[data-more]');
    if (button === null || isLoading) return;
    isLoading = true;
    button.setAttribute('aria-busy', 'true');
    const page = new URLSearchParams(query);
    page.set('page', button.dataset.more ?? '');
    try {
      appendResultCards(place, parseHtml(await fetchSessionFragment('/picker/results', page, signal)), hasFocus);
    } catch (error) {
      showMoreResultsProblem(place, toSessionMessage(error));
    } finally {
      isLoading = false;
      button.removeAttribute('aria-busy');
    }
  }

  onClick(place, '[data-more]', () => void loadMoreResults(true), { signal });
  const observer = new IntersectionObserver(
    ([entry]) => {
      // For people who press Tab through the results, the end would keep moving away.
      const hasFocus = place.querySelector('.card :focus-visible') !== null;
      if (entry?.isIntersecting !== true || loadedByItself >= MAX_BY_ITSELF || hasFocus) return;
      loadedByItself++;
      void loadMoreResults(false).then(watchEnd);
    },
    { rootMargin: '0px 0px 400px' },
  );
  // A new observation reports at once whether the end is still in view.
  const watchEnd = () => {
    observer.disconnect();
    const end = place.querySelector('#more');
    if (end?.querySelector('[data-more]') && !signal.aborted) observer.observe(end);
  };
  signal.addEventListener('abort', () => observer.disconnect());
  watchEnd();
}

function appendResultCards(place: HTMLElement, content: HTMLElement, hasFocus: boolean): void {
  const problem = content.querySelector('.problem')?.textContent;
  if (problem) {
    showMoreResultsProblem(place, problem);
    return;
  }
  const items = [...content.querySelectorAll('.group > ol > li')];
  const cards = getElement('#cards', place);
  for (const group of content.querySelectorAll<HTMLElement>('.group')) {
    // The group may continue the last one.
    const last = cards.querySelector<HTMLElement>('.group:last-child');
    if (last?.dataset.line !== group.dataset.line) cards.append(group);
    else last?.querySelector('ol')?.append(...group.querySelectorAll(':scope > ol > li'));
  }
  document.dispatchEvent(new CustomEvent(CARDS_SHOWN));
  for (const id of ['notices', 'more']) {
    const next = content.querySelector(`#${id}`);
    const old = place.querySelector(`#${id}`);
    if (next !== null) old?.replaceWith(next);
  }
  // The button that had the focus is gone.
  if (hasFocus) (items[0] ?? cards).querySelector<HTMLElement>('button')?.focus();
  const total = cards.querySelectorAll('.group > ol > li').length;
  announceStatus(fillWords(place.dataset.loaded, { added: items.length, shown: total }));
}

/** Shows a problem beside the button, which tries again. */
function showMoreResultsProblem(place: HTMLElement, message: string | null): void {
  const container = place.querySelector('#more');
  if (container === null || message === null) return;
  container.querySelector('.problem')?.remove();
  container.append(createParagraph('problem', message));
  announceStatus(message);
}

/** Shows similar terms above the results, in a reserved place, which is emptied without terms. */
export async function showSimilarResults(place: HTMLElement, words: string, signal?: AbortSignal): Promise<void> {
  if (place.dataset.words !== words) place.replaceChildren();
  place.dataset.words = words;
  if (words === '') return;
  place.setAttribute('aria-busy', 'true');
  const html = await fetchSessionFragment('/picker/similar', { q: words }, signal).catch(() => null);
  if (signal?.aborted) return;
  if (html !== null) place.replaceChildren(...parseHtml(html).childNodes);
  place.removeAttribute('aria-busy');
}
