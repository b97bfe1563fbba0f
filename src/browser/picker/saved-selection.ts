/** Saves a teacher's work: the same person finds it in the same course again, for a while. */

import { keepInEntryState, readEntryState } from '../lti/entry-state.ts';
import { postSessionForm } from '../lti/session.ts';

/** Longer than a launch is valid, so that a page that has expired loses nothing. */
const KEPT_MS = 8 * 3_600_000;

type StoredEntry<T> = { readonly savedAt?: number; readonly value?: T };

/** Keeps a value; if storage is blocked, in the history entry and on the host. */
export function keepSelectionForCourse(key: string, value: unknown): void {
  const saved = { savedAt: Date.now(), value };
  try {
    sessionStorage.setItem(key, JSON.stringify(saved));
  } catch {
    keepSelectionBesidePage(key, saved);
  }
}

/** Changes within this time are sent together. */
const SENDING_MS = 300;
const keptInPage: Record<string, StoredEntry<unknown>> = readSelectionInPage();
let sending: ReturnType<typeof setTimeout> | undefined;

/** Reads the values that the host has kept from the page. */
function readSelectionInPage(): Record<string, StoredEntry<unknown>> {
  try {
    return JSON.parse(document.querySelector<HTMLElement>('[data-kept]')?.dataset.kept ?? '{}');
  } catch {
    return {};
  }
}

function keepSelectionBesidePage(key: string, saved: StoredEntry<unknown>): void {
  keptInPage[key] = saved;
  clearTimeout(sending);
  sending = setTimeout(() => {
    // If this fails, the value stays with the page.
    postSessionForm('/picker/kept', { kept: JSON.stringify(keptInPage) }).catch(() => undefined);
  }, SENDING_MS);
  try {
    keepInEntryState({ [key]: saved });
  } catch {
    // Browsers limit the size of the state, and Safari its frequency.
  }
}

/** Reads a kept value; null if there is none, or if it has expired. */
export function readSelectionForCourse<T>(key: string): T | null {
  const { savedAt = 0, value = null } =
    readSavedSelection<T>(key) ??
    (readEntryState()[key] as StoredEntry<T>) ??
    (keptInPage[key] as StoredEntry<T>) ??
    {};
  return Date.now() - savedAt < KEPT_MS ? value : null;
}

/** Reads a value of the storage; null if that is blocked or empty. */
function readSavedSelection<T>(key: string): StoredEntry<T> | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
