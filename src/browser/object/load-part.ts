import { fetchSessionFragment, showFragment } from '../lti/session.ts';

/** Put the part of the page that a place names into it. Where it cannot be had, the link to it
 *  stays. */
export async function loadPart(place: HTMLElement): Promise<void> {
  place.setAttribute('aria-busy', 'true');
  try {
    showFragment(place, await fetchSessionFragment(place.dataset.load ?? ''));
    showPartTimes(place);
    lift(place);
  } catch {
    // The link is still there, and says what is wrong when it is followed.
  } finally {
    place.removeAttribute('aria-busy');
  }
}

/** Warnings that readers should see first go to the top of the page. */
function lift(place: HTMLElement): void {
  for (const notice of place.querySelectorAll<HTMLElement>('[data-lift]'))
    document.querySelector(`#${notice.dataset.lift}`)?.append(notice);
}

/** Times in the reader's own time zone, in place of the UTC days that the host wrote. */
export function showPartTimes(place: ParentNode): void {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  for (const time of place.querySelectorAll<HTMLTimeElement>('time[data-local]'))
    time.textContent = format.format(new Date(time.dateTime));
}
