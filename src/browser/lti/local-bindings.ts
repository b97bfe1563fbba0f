/** Keeps secrets of logins in the browser's storage, which throws where it is blocked. */

const PREFIX = 'lti_state_';
/** The time that the host waits for a launch. */
const LIFETIME_MS = 600_000;

type StoredBinding = { readonly binding: string; readonly until: number };

/** Keeps a secret, and removes expired ones. @returns false if storage is blocked */
export function keepLocalBinding(state: string, binding: string): boolean {
  const isKept = tryOrNull(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(PREFIX) && !((readLocalBinding(key)?.until ?? 0) > Date.now())) localStorage.removeItem(key);
    localStorage.setItem(`${PREFIX}${state}`, JSON.stringify({ binding, until: Date.now() + LIFETIME_MS }));
    return readLocalBinding(`${PREFIX}${state}`)?.binding === binding;
  });
  return isKept === true;
}

/** Takes the secret of a login out of the storage; null if there is none. */
export function takeLocalBinding(state: string): string | null {
  return tryOrNull(() => {
    const entry = readLocalBinding(`${PREFIX}${state}`);
    localStorage.removeItem(`${PREFIX}${state}`);
    return entry?.binding ?? null;
  });
}

function readLocalBinding(key: string): StoredBinding | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as StoredBinding | null;
  } catch {
    return null;
  }
}

function tryOrNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
