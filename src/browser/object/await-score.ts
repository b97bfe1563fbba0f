import { fetchSessionFragment, parseSessionFragment, showFragment } from '../lti/session.ts';
import { showPartTimes } from './load-part.ts';

/** Milliseconds before each look. Nobody waits for a score that takes longer. */
const LOOKS_MS = [1_500, 3_000, 6_000, 12_000, 24_000, 48_000];

const AWAITED = '[data-awaited]';

/** Ask for the state of a score that is on its way until it has arrived. */
export async function awaitScore(place: Element): Promise<void> {
  for (const waitMs of LOOKS_MS) {
    if (place.querySelector(AWAITED) === null) return;
    await new Promise((later) => setTimeout(later, waitMs));
    const html = await fetchSessionFragment('/object/done').catch(() => null);
    if (html === null || parseSessionFragment(html).querySelector(AWAITED) !== null) continue;
    const hadFocus = place.contains(document.activeElement);
    showFragment(place, html);
    showPartTimes(place);
    if (hadFocus) place.querySelector<HTMLElement>('[data-focus]')?.focus({ preventScroll: true });
  }
}
