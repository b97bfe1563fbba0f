/** What a teacher was at, for a while: the same person finds it in the same course again. */

import { keepInEntryState, readEntryState } from '../lti/entry-state.ts';
import { postSessionForm } from '../lti/session.ts';

/** Longer than a launch is valid, so that a page that has expired loses nothing. */
const KEPT_MS = 8 * 3_600_000;

interface Kept<T> {
  readonly savedAt?: number;
  readonly value?: T;
}

/** Where storage is blocked, as it may be in the frame of another site, it stays with the page and
 *  its reloads, and on the host, as a dialog may be closed. */
export function keepForCourse(key: string, value: unknown): void {
  const kept = { savedAt: Date.now(), value };
  try {
    sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    keepBesidePage(key, kept);
  }
}

/** What changes within this time is sent at once. */
const SENDING_MS = 300;
const atHost: Record<string, Kept<unknown>> = readHost();
let sending: ReturnType<typeof setTimeout> | undefined;

function readHost(): Record<string, Kept<unknown>> {
  try {
    return JSON.parse(document.querySelector<HTMLElement>('[data-kept]')?.dataset.kept ?? '{}');
  } catch {
    return {};
  }
}

function keepBesidePage(key: string, kept: Kept<unknown>): void {
  atHost[key] = kept;
  clearTimeout(sending);
  sending = setTimeout(() => {
    // Offline, it stays with the page.
    postSessionForm('/picker/kept', { kept: JSON.stringify(atHost) }).catch(() => undefined);
  }, SENDING_MS);
  try {
    keepInEntryState({ [key]: kept });
  } catch {
    // Browsers limit how much it may be, and Safari how often: then it lasts as long as the page.
  }
}

/** Null where there is nothing, or only something too old to be remembered. */
export function readSelectionForCourse<T>(key: string): T | null {
  const { savedAt = 0, value = null } =
    readStorage<T>(key) ?? (readEntryState()[key] as Kept<T>) ?? (atHost[key] as Kept<T>) ?? {};
  return Date.now() - savedAt < KEPT_MS ? value : null;
}

/** Null where it is blocked, or has nothing. */
function readStorage<T>(key: string): Kept<T> | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
