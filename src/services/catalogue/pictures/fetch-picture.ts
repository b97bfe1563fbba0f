import { LRUCache } from 'lru-cache';
import { limitConcurrency, type RunLimited } from '#domain/async/limit-concurrency';
import { limitEntries } from '#domain/limit-entries';
import { parseJson } from '#domain/text';
import { AppError, isPassingError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Outbound, OutboundAnswer, OutboundFailure } from '#ports/outbound';

const REQUEST = {
  timeoutMs: 10_000,
  maxBytes: 2 * 1024 ** 2,
  redirects: 4,
  headers: { accept: 'image/webp,image/png,image/jpeg,image/gif,application/json;q=0.5' },
} as const;

/** Fetches the picture at an address, or that named there; null if there is none, and `busy` if
 *  there may be one later. Errors: the signal's reason. */
export async function fetchPicture(
  outbound: Outbound,
  address: string,
  signal: AbortSignal,
): Promise<Uint8Array | null | 'busy'> {
  const requestFrom = (from: string) => outbound.request(from, { ...REQUEST, signal });
  try {
    const answer = await requestFrom(address);
    const described = findDescribedPicture(answer);
    const last = described === null ? answer : await requestFrom(described);
    if (last.status === 429 || last.status >= 500) return 'busy';
    return isPicture(last) ? last.bytes : null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return isPassingError(error) && passingFailures.includes(error.data.failure) ? 'busy' : null;
  }
}

/** Returns the `thumbnail_url` of a description by oEmbed (https://oembed.com); else null. */
function findDescribedPicture({ status, headers, text }: OutboundAnswer): string | null {
  if (status !== 200 || !/^application\/json\b/i.test(headers['content-type'] ?? '')) return null;
  const { thumbnail_url: address } = (parseJson(text) ?? {}) as Readonly<Record<string, unknown>>;
  return typeof address === 'string' ? address : null;
}

/** Failures after which another try may succeed. */
const passingFailures: readonly unknown[] = ['timeout', 'connection'] satisfies OutboundFailure[];

/** Judges by the header alone, as the encoder reads the bytes. */
function isPicture({ status, headers }: OutboundAnswer): boolean {
  const type = headers['content-type'] ?? '';
  return status === 200 && /^(?:image\/(?!svg)|application\/octet-stream|binary\/octet-stream)/i.test(type);
}

/** Runs a job in its turn, unless its origin rests after failures.
 *  @param job returns whether the site answered
 *  Errors: OUTBOUND_FAILED if too many wait; those of the job; the signal's reason. */
export type RunAtOrigin = (address: string, job: () => Promise<boolean>, signal: AbortSignal) => Promise<void>;

/** Limits of the jobs of all origins, and of each. */
const LIMIT = { running: 16, waiting: 200 };
const ORIGIN_LIMIT = { running: 2, waiting: 50 };
const MAX_ORIGINS = 5_000;
/** Rest after one failure, which doubles with each further one. */
const FIRST_REST_MS = 15_000;
const LONGEST_REST_MS = 24 * 3_600_000;

interface Origin {
  readonly inTurn: RunLimited;
  restMs: number;
  /** Milliseconds since 1970. */
  restsUntil: number;
}

/** Shares the running fetches between their origins, so that slow sites do not delay others. */
export function createOriginTurns(clock: Clock): RunAtOrigin {
  const inTurn = limitConcurrency({ ...LIMIT, tooMany: createTooManyError });
  const origins = new LRUCache<string, Origin>({
    ...limitEntries(MAX_ORIGINS),
    memoMethod: () => ({
      inTurn: limitConcurrency({ ...ORIGIN_LIMIT, tooMany: createTooManyError }),
      restMs: 0,
      restsUntil: 0,
    }),
  });

  const isResting = ({ restsUntil }: Origin) => restsUntil > clock.now().getTime();

  function noteAnswer(origin: Origin, hasAnswered: boolean): void {
    if (hasAnswered) Object.assign(origin, { restMs: 0, restsUntil: 0 });
    // Jobs that failed beside each other count as one failure.
    else if (!isResting(origin)) {
      origin.restMs = Math.min(2 * origin.restMs || FIRST_REST_MS, LONGEST_REST_MS);
      origin.restsUntil = clock.now().getTime() + origin.restMs;
    }
  }

  return async (address, job, signal) => {
    const origin = origins.memo(new URL(address).origin);
    const run = async () => {
      if (isResting(origin)) return;
      await inTurn(async () => noteAnswer(origin, await job()), { signal });
    };
    await origin.inTurn(run, { signal });
  };
}

const createTooManyError = (): AppError => new AppError('OUTBOUND_FAILED', 'Too many pictures are wanted at once.');
