import { keepInEntryState } from '../lti/entry-state.ts';
import { fetchSessionFragment, showSessionFragment, toSessionParams } from '../lti/session.ts';

/** Loads a part of the page; on failure, the link to it stays. */
export async function loadPart(place: HTMLElement): Promise<void> {
  place.setAttribute('aria-busy', 'true');
  try {
    showSessionFragment(place, await fetchSessionFragment(place.dataset.load ?? ''));
    showPartTimes(place);
    liftNotices(place);
  } catch {
    // The link stays, and its page explains the problem.
  } finally {
    place.removeAttribute('aria-busy');
  }
}

/** Loads other states of a part in place. The address has the state, for a reload. */
export function followWithinPart(place: HTMLElement): void {
  const path = new URL(`/lti${place.dataset.load}`, location.href).pathname;
  const follow = async (event: Event, url: URL) => {
    if (url.pathname !== path) return;
    event.preventDefault();
    url.searchParams.delete('launch');
    place.dataset.load = url.pathname.slice('/lti'.length) + url.search;
    const address = new URL(location.href);
    address.search = url.search;
    keepInEntryState({}, address);
    await loadPart(place);
    place.querySelector<HTMLElement>('[data-focus]')?.focus();
  };
  place.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (link !== null && isPlain) void follow(event, new URL(link.href));
  });
  place.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    const url = new URL(form.action);
    url.search = toSessionParams(new FormData(form)).toString();
    if (form.method === 'get') void follow(event, url);
  });
}

/** Moves important warnings to the top of the page. */
function liftNotices(place: HTMLElement): void {
  for (const notice of place.querySelectorAll<HTMLElement>('[data-lift]'))
    document.querySelector(`#${notice.dataset.lift}`)?.append(notice);
}

/** Shows times in the reader's time zone, instead of the UTC days of the host. */
export function showPartTimes(place: ParentNode): void {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of place.querySelectorAll<HTMLTimeElement>('time[data-local]'))
    time.textContent = format.format(new Date(time.dateTime));
}
