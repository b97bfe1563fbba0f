import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store/store';

export type StoredValuesDeps = Pick<Store, 'nonces'> & { readonly clock: Clock };

/** @returns false if the name is taken. Errors: PARAMETERS_INVALID for too long a value. */
export function addStoredValue(
  { nonces, clock }: StoredValuesDeps,
  name: string,
  value: unknown,
  lifetimeMs: number,
): Promise<boolean> {
  return nonces.addNonce(name, JSON.stringify(value), new Date(clock.now().getTime() + lifetimeMs));
}

/** Null if there is none, or it has expired. Dates are texts. */
export async function findStoredValue<T>({ nonces, clock }: StoredValuesDeps, name: string): Promise<T | null> {
  const json = await nonces.findNonce(name, clock.now());
  return json === null ? null : JSON.parse(json);
}

/** The same, and removes the value: only one of two calls gets it. */
export async function consumeStoredValue<T>({ nonces, clock }: StoredValuesDeps, name: string): Promise<T | null> {
  const json = await nonces.consumeNonce(name, clock.now());
  return json === null ? null : JSON.parse(json);
}
