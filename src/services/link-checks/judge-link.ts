import type { LinkCheck, LinkProblem } from '../../ports/store/store.ts';
import type { LinkVisit } from './visit-link.ts';

const DAY_MS = 86_400_000;

/** For how long, and how many times in a row, an address must have failed in the same way to be believed dead. Only what the
 *  host itself says of its page needs no second look. What people may well be able to see is never believed dead. */
const proofs: Readonly<Record<LinkProblem, { readonly days: number; readonly failures: number } | null>> = {
  'not-found': { days: 0, failures: 1 },
  gone: { days: 0, failures: 1 },
  // It may be the name server of this host that fails.
  'no-host': { days: 1, failures: 2 },
  refused: { days: 7, failures: 3 },
  timeout: { days: 7, failures: 3 },
  certificate: { days: 7, failures: 3 },
  redirects: { days: 7, failures: 3 },
  'server-error': { days: 7, failures: 3 },
  forbidden: null,
  'not-public': null,
};

/** What is known of an address after a visit. */
export function judgeLink(
  before: LinkCheck | undefined,
  url: string,
  visit: LinkVisit,
  now: Date,
): LinkCheck {
  const { status, problem } = visit;
  const kept = { url, checkedAt: now, status, reason: problem };
  if (problem === null) return { ...kept, state: 'alive', since: sinceOf(before, 'alive', now), failures: 0 };
  const isSame = before !== undefined && before.reason === problem;
  const failures = isSame ? before.failures + 1 : 1;
  const failingSince = isSame ? before.since : now;
  const proof = proofs[problem];
  const isProven =
    proof !== null &&
    failures >= proof.failures &&
    now.getTime() - failingSince.getTime() >= proof.days * DAY_MS;
  // Whoever is dead stays so until there is an answer.
  const state = isProven || (before?.state === 'dead' && proof !== null) ? 'dead' : 'unsure';
  // Of another problem the days are counted anew.
  const since = state === 'unsure' ? failingSince : sinceOf(before, 'dead', now);
  return { ...kept, state, since, failures };
}

function sinceOf(before: LinkCheck | undefined, state: LinkCheck['state'], now: Date): Date {
  return before?.state === state ? before.since : now;
}
