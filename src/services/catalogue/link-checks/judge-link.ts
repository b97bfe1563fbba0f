import type { LinkCheck, LinkProblem } from '#ports/store/store';
import type { LinkVisit } from './visit-link.ts';

const DAY_MS = 86_400_000;

/** For how long, and how many times in a row, an address must fail in the same way to be believed dead: on three days where the
 *  site itself says so. A page that people may well be able to see is never believed dead. */
const proofs: Readonly<Record<LinkProblem, { readonly days: number; readonly failures: number } | null>> = {
  'not-found': { days: 2, failures: 3 },
  gone: { days: 2, failures: 3 },
  parked: { days: 2, failures: 3 },
  'sent-home': { days: 2, failures: 3 },
  'no-host': { days: 2, failures: 3 },
  refused: { days: 7, failures: 3 },
  timeout: { days: 7, failures: 3 },
  certificate: { days: 7, failures: 3 },
  redirects: { days: 7, failures: 3 },
  'server-error': { days: 7, failures: 3 },
  forbidden: null,
  'not-public': null,
  robots: null,
};

/** Whether an address that fails like this can be dead. */
export const canBeDead = (problem: LinkProblem | null): boolean =>
  problem !== null && proofs[problem] !== null;

/** What the site itself says of its page, in one of two ways. */
const bothMissing: ReadonlySet<LinkProblem | null> = new Set(['not-found', 'gone']);

/** What is known of an address after a visit. */
export function judgeLink(
  before: LinkCheck | undefined,
  url: string,
  visit: LinkVisit,
  now: Date,
): LinkCheck {
  const { status, problem, movedTo, etag, lastModified } = visit;
  const kept = { url, checkedAt: now, status, reason: problem, movedTo, etag, lastModified };
  if (problem === null) return { ...kept, state: 'alive', since: sinceOf(before, 'alive', now), failures: 0 };
  const isSame =
    before !== undefined &&
    (before.reason === problem || (bothMissing.has(before.reason) && bothMissing.has(problem)));
  const failures = isSame ? before.failures + 1 : 1;
  const failingSince = isSame ? before.since : now;
  const proof = proofs[problem];
  const isProven =
    proof !== null &&
    failures >= proof.failures &&
    now.getTime() - failingSince.getTime() >= proof.days * DAY_MS;
  // A dead address stays dead until there is an answer.
  const state = isProven || (before?.state === 'dead' && proof !== null) ? 'dead' : 'unsure';
  // With another problem the days are counted anew.
  const since = state === 'unsure' ? failingSince : sinceOf(before, 'dead', now);
  return { ...kept, state, since, failures };
}

function sinceOf(before: LinkCheck | undefined, state: LinkCheck['state'], now: Date): Date {
  return before?.state === state ? before.since : now;
}
