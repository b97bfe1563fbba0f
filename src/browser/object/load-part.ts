import { fetchFragment, showFragment } from '../lti/session.ts';
import { showLocalTimes } from './local-times.ts';

/** Put the part of the page that a place names into it. Where it cannot be had, the link to it stays. */
export async function loadPart(place: HTMLElement): Promise<void> {
  place.setAttribute('aria-busy', 'true');
  try {
    showFragment(place, await fetchFragment(place.dataset.load ?? ''));
    showLocalTimes(place);
    lift(place);
  } catch {
    // The link is still there, and says what is wrong when it is followed.
  } finally {
    place.removeAttribute('aria-busy');
  }
}

/** What readers should know before all else goes to the top of the page. */
function lift(place: HTMLElement): void {
  for (const notice of place.querySelectorAll<HTMLElement>('[data-lift]'))
    document.querySelector(`#${notice.dataset.lift}`)?.append(notice);
}
