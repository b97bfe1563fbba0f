import { createHash, randomInt } from 'node:crypto';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { ShelfOwner, Store } from '#ports/store/store';
import { createRateLimiter } from '#services/host/rate-limits';

export interface LinkCode {
  /** Eight characters without those that look alike: `K7QM-2XPA`. Read in any case, with or without
   *  the dash. */
  readonly code: string;
  readonly expiresAt: Date;
}

/** Codes that a person reads in one face and types in another, to link the two accounts. */
export type LinkCodes = ReturnType<typeof createLinkCodes>;

/** Who made a code, and for how long. */
interface CodeData {
  readonly person: string;
  /** Milliseconds. */
  readonly expiresAt: number;
}

/** Without 0 and O, 1, I and L. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

const HALF = 4;

const LIFETIME_MS = 10 * 60_000;

/** Tries of one person; there are 31^8 codes. */
const TRIES = { name: 'link-code', points: 10, windowSeconds: 600 } as const;

export function createLinkCodes(
  deps: Pick<Store, 'nonces' | 'rateCounters'> & {
    readonly clock: Clock;
  },
) {
  const { nonces, rateCounters, clock } = deps;
  const limiter = createRateLimiter(rateCounters, clock, TRIES);

  const keep = (name: string, data: CodeData) => nonces.addNonce(name, JSON.stringify(data), new Date(data.expiresAt));

  async function limitTries({ tenantId, person }: ShelfOwner): Promise<void> {
    const { isAllowed, endsInMs } = await limiter.consume(`${tenantId} ${person}`);
    if (!isAllowed) throw throttled(Math.ceil(endsInMs / 1_000));
  }

  /** Errors: LINK_CODE_INVALID. */
  async function take(owner: ShelfOwner, name: string): Promise<CodeData> {
    const data = toData(await nonces.findNonce(name, clock.now()));
    // Accounts of one face are different people. The code is not consumed, so it still works in the
    // right place.
    if (data === null || faceOf(data.person) === faceOf(owner.person)) throw invalid();
    const taken = toData(await nonces.consumeNonce(name, clock.now()));
    if (taken === null) throw invalid();
    return taken;
  }

  return {
    async create({ tenantId, person }: ShelfOwner): Promise<LinkCode> {
      const expiresAt = clock.now().getTime() + LIFETIME_MS;
      for (;;) {
        const code = `${makeHalf()}-${makeHalf()}`;
        if (await keep(nonceOf(tenantId, code), { person, expiresAt })) return { code, expiresAt: new Date(expiresAt) };
      }
    },
    /** Consumes the code and runs the work with the person who made it. The code is restored where
     *  the work fails. Errors: LINK_CODE_INVALID, LINK_CODE_THROTTLED, those of the work. */
    async use(owner: ShelfOwner, code: string, work: (other: ShelfOwner) => Promise<void>): Promise<void> {
      await limitTries(owner);
      const name = nonceOf(owner.tenantId, code);
      const taken = await take(owner, name);
      try {
        await work({ tenantId: owner.tenantId, person: taken.person });
      } catch (error) {
        // Where it cannot be restored, people can make a new one.
        await keep(name, taken).catch(() => false);
        throw error;
      }
    },
  };
}

const makeHalf = (): string => Array.from({ length: HALF }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** The store has only the hash of a code, in its normal form. */
function nonceOf(tenantId: string, code: string): string {
  const plain = code.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return `link-code ${tenantId} ${createHash('sha256').update(`${tenantId} ${plain}`).digest('hex')}`;
}

/** `slack` of `slack:T1:U1`. */
const faceOf = (person: string): string => person.replace(/:.*/s, '');

const toData = (json: string | null): CodeData | null => (json === null ? null : JSON.parse(json));

function invalid(): AppError {
  return new AppError(
    'LINK_CODE_INVALID',
    'This code is mistyped, was used already, is older than ten minutes, or is of another institution. Type a code from Slack in the course site, and a code from the course site in Slack.',
  );
}

function throttled(retryAfterSeconds: number): AppError {
  return new AppError(
    'LINK_CODE_THROTTLED',
    'Too many codes were tried. Wait ten minutes, get a new code and type it here.',
    { retryAfterSeconds },
  );
}
