import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store/store';

export type StoredValuesDeps = Pick<Store, 'nonces'> & { readonly clock: Clock };

/** Stores a value as JSON under a name for some time. Returns false if the name is taken. Errors:
 *  PARAMETERS_INVALID for a value that is too long. */
export function addStoredValue(
  { nonces, clock }: StoredValuesDeps,
  name: string,
  value: unknown,
  lifetimeMs: number,
): Promise<boolean> {
  return nonces.addNonce(name, JSON.stringify(value), new Date(clock.now().getTime() + lifetimeMs));
}

/** Returns null if there is no such value, or it has expired. Dates in it are texts. */
export async function findStoredValue<T>({ nonces, clock }: StoredValuesDeps, name: string): Promise<T | null> {
  const json = await nonces.findNonce(name, clock.now());
  return json === null ? null : JSON.parse(json);
}

/** Returns a value like `findStoredValue` and removes it: only one of two calls gets it. */
export async function consumeStoredValue<T>({ nonces, clock }: StoredValuesDeps, name: string): Promise<T | null> {
  const json = await nonces.consumeNonce(name, clock.now());
  return json === null ? null : JSON.parse(json);
}
