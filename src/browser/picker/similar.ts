import { fetchFragment, parseFragment } from '../lti/session.ts';

/** Above the results, and never in their way: without an answer the place stays empty, but not before that, as the results
 *  would move. */
export async function showSimilar(place: HTMLElement, words: string, signal?: AbortSignal): Promise<void> {
  if (place.dataset.words !== words) place.replaceChildren();
  place.dataset.words = words;
  if (words === '') return;
  place.setAttribute('aria-busy', 'true');
  const html = await fetchFragment('/picker/similar', { q: words }, signal).catch(() => null);
  if (signal?.aborted) return;
  if (html !== null) place.replaceChildren(...parseFragment(html).childNodes);
  place.removeAttribute('aria-busy');
}
