import { createHash, randomBytes } from 'node:crypto';
import { toRecordKey } from '#domain/record-key';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { NonceRepository, ShelfOwner } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import { addStoredValue, findStoredValue, type StoredValuesDeps } from '#services/host/stored-values';

export type Version<T> = { readonly number: number; readonly state: T };
const LIFETIME_MS = 24 * 3_600_000;
const MAX_KILOBYTES = 64;
/** 16 characters in base64url. */
const TOKEN_BYTES = 12;
const TOKEN_SHAPE = /^[\w-]{16}$/;

/** Stores states of a person for 24 hours, such as that of a button, which has only a token. */
export function createSavedStates(deps: { readonly nonces: NonceRepository; readonly clock: Clock }) {
  const { nonces, clock } = deps;
  return {
    ...bindState(deps, { keep: keepState, putNamed: putNamedState }),
    /** Returns the state with this token; null if the person has none, or it has expired. */
    find: async <T>(owner: ShelfOwner, token: string) =>
      TOKEN_SHAPE.test(token) ? findStoredValue<T>(deps, savedStateTokenName(owner, token)) : null,
    /** Returns the newest version of a series, which begins with `start`. */
    async findNewest<T>(owner: ShelfOwner, series: string, start: Version<T>): Promise<Version<T>> {
      for (let newest = start; ; ) {
        const number = newest.number + 1;
        const state = await findStoredValue<T>(deps, savedStateVersionName(owner, series, number));
        if (state === null) return newest;
        newest = { number, state };
      }
    },
    /** Stores the next version of a series. @returns false if some host has stored it already */
    addVersion: <T>(owner: ShelfOwner, series: string, { number, state }: Version<T>) =>
      addSavedState(deps, savedStateVersionName(owner, series, number), state),
    findNamed: <T>(owner: ShelfOwner, name: string) => findStoredValue<T>(deps, namedSavedStateName(owner, name)),
    async removeNamed(owner: ShelfOwner, name: string): Promise<void> {
      await nonces.consumeNonce(namedSavedStateName(owner, name), clock.now());
    },
    /** Claims a name, such as `share <token> 3 C1`, once in 24 hours; false if it is taken. */
    claim(owner: ShelfOwner, name: string, lifetimeMs: number = LIFETIME_MS): Promise<boolean> {
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + lifetimeMs);
      return nonces.claimNonce(savedStateClaimName(owner, name), { now, expiresAt });
    },
    isClaimed: async (owner: ShelfOwner, name: string) =>
      (await nonces.findNonce(savedStateClaimName(owner, name), clock.now())) !== null,
    /** Gives a claim back when its work failed, so that another call may do it. */
    async release(owner: ShelfOwner, name: string): Promise<void> {
      await nonces.consumeNonce(savedStateClaimName(owner, name), clock.now());
    },
    /** Removes the states of people with this prefix, which does not end in a blank. */
    forgetAll: (tenantId: string, prefix: string) =>
      nonces.removeNonces(savedStateName({ tenantId, person: prefix }, '').slice(0, -1)),
  };
}

export type SavedStates = ReturnType<typeof createSavedStates>;

/** Stores at most 64 kB of JSON. @returns a token of 16 characters. Errors: PARAMETERS_INVALID. */
async function keepState(deps: StoredValuesDeps, owner: ShelfOwner, state: unknown): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await addSavedState(deps, savedStateTokenName(owner, token), state);
  return token;
}

/** Stores a state under a name and replaces the former one. Errors: PARAMETERS_INVALID. */
async function putNamedState(deps: StoredValuesDeps, owner: ShelfOwner, name: string, state: unknown): Promise<void> {
  const nonce = namedSavedStateName(owner, name);
  // Another call may store its state first: then that one is replaced.
  while (!(await addSavedState(deps, nonce, state))) await deps.nonces.consumeNonce(nonce, new Date(0));
}

/** Names begin with the person: states are removed by person, and nobody else can use a token. */
const savedStateName = ({ tenantId, person }: ShelfOwner, entry: string): string =>
  `kept ${toRecordKey([tenantId, person, entry])}`;

const savedStateTokenName = (owner: ShelfOwner, token: string): string => savedStateName(owner, `state ${token}`);

const savedStateVersionName = (owner: ShelfOwner, series: string, number: number): string =>
  savedStateName(owner, `version ${toRecordKey([series, String(number)])}`);

const namedSavedStateName = (owner: ShelfOwner, name: string): string => savedStateName(owner, `named ${name}`);

const savedStateClaimName = (owner: ShelfOwner, name: string): string =>
  savedStateName(owner, `claim ${createHash('sha256').update(name).digest('hex')}`);

/** Errors: PARAMETERS_INVALID for more than 64 kB, and for values without JSON. */
async function addSavedState(deps: StoredValuesDeps, name: string, state: unknown): Promise<boolean> {
  const json = JSON.stringify(state) as string | undefined;
  if (json !== undefined && Buffer.byteLength(json) <= MAX_KILOBYTES * 1_024)
    return addStoredValue(deps, name, state, LIFETIME_MS);
  const problem = json === undefined ? 'must be JSON' : `must take at most ${MAX_KILOBYTES} kB`;
  throw new AppError('PARAMETERS_INVALID', `This list cannot be kept: it ${problem}. Ask for less at once.`, {
    problems: [{ path: 'state', problem }],
  });
}
