import { createHash, randomBytes } from 'node:crypto';
import { recordKey } from '../domain/record-key.ts';
import { AppError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { NonceRepository, ShelfOwner } from '../ports/store.ts';

/** What the buttons of a message stand for: they carry a short token, the host keeps the rest for 24 hours. */
export interface KeptStates {
  /** JSON of at most 64 kB. @returns a token of 16 characters. Errors: PARAMETERS_INVALID. */
  keep(owner: ShelfOwner, state: unknown): Promise<string>;
  /** Null when there is none for this person, or it is over. */
  find<T>(owner: ShelfOwner, token: string): Promise<T | null>;
  /** True for the first of several that do the same: `name` says what, as `share <token> 3 C1`. Remembered for 24 hours. */
  claim(owner: ShelfOwner, name: string): Promise<boolean>;
  /** What was claimed was not done: the next one may. */
  release(owner: ShelfOwner, name: string): Promise<void>;
}

export interface KeptStatesDeps {
  readonly nonces: NonceRepository;
  readonly clock: Clock;
}

const LIFETIME_MS = 24 * 3_600_000;
const MAX_KILOBYTES = 64;
/** 16 characters in base64url. */
const TOKEN_BYTES = 12;
const TOKEN_SHAPE = /^[\w-]{16}$/;

export function createKeptStates({ nonces, clock }: KeptStatesDeps): KeptStates {
  const add = (name: string, data: string) =>
    nonces.addNonce(name, data, new Date(clock.now().getTime() + LIFETIME_MS));

  return {
    async keep(owner, state) {
      const json = toJson(state);
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      await add(stateName(owner, token), json);
      return token;
    },
    async find<T>(owner: ShelfOwner, token: string) {
      if (!TOKEN_SHAPE.test(token)) return null;
      const json = await nonces.findNonce(stateName(owner, token), clock.now());
      return json === null ? null : (JSON.parse(json) as T);
    },
    claim: (owner, name) => add(claimName(owner, name), ''),
    async release(owner, name) {
      await nonces.consumeNonce(claimName(owner, name), clock.now());
    },
  };
}

/** Names the person: a token is worth nothing to anybody else. */
const stateName = ({ tenantId, person }: ShelfOwner, token: string): string =>
  `kept-state ${recordKey([tenantId, person, token])}`;

const claimName = ({ tenantId, person }: ShelfOwner, name: string): string =>
  `claim ${recordKey([tenantId, person, createHash('sha256').update(name).digest('hex')])}`;

/** Errors: PARAMETERS_INVALID. */
function toJson(state: unknown): string {
  const json = JSON.stringify(state) as string | undefined;
  if (json !== undefined && Buffer.byteLength(json) <= MAX_KILOBYTES * 1_024) return json;
  const problem = json === undefined ? 'must be JSON' : `must take at most ${MAX_KILOBYTES} kB`;
  throw new AppError('PARAMETERS_INVALID', `This list cannot be kept: it ${problem}. Ask for less at once.`, {
    problems: [{ path: 'state', problem }],
  });
}
