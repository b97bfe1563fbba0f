/** What a teacher was at, for a while: the same person finds it in the same course again, in the
 *  same window. */

import { keepInEntryState, readEntryState } from '../lti/entry-state.ts';

const KEPT_MS = 4 * 3_600_000;

interface Kept<T> {
  readonly keptAt?: number;
  readonly value?: T;
}

/** Where storage is blocked, as it may be in the frame of another site, it stays with the page and
 *  its reloads. */
export function keepForCourse(key: string, value: unknown): void {
  const kept = { keptAt: Date.now(), value };
  try {
    sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    keepBesidePage(key, kept);
  }
}

function keepBesidePage(key: string, kept: Kept<unknown>): void {
  try {
    keepInEntryState({ [key]: kept });
  } catch {
    // Browsers limit how much it may be, and Safari how often: then it lasts as long as the page.
  }
}

/** Null where there is nothing, or only something too old to be remembered. */
export function readKeptForCourse<T>(key: string): T | null {
  const { keptAt = 0, value = null } = readStorage<T>(key) ?? (readEntryState()[key] as Kept<T>) ?? {};
  return Date.now() - keptAt < KEPT_MS ? value : null;
}

/** Null where it is blocked. */
function readStorage<T>(key: string): Kept<T> | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}');
  } catch {
    return null;
  }
}
