import { AppError } from '../../errors.ts';
import type { Outbound, OutboundAnswer, OutboundFailure } from '../../ports/outbound.ts';
import type { LinkCheck, LinkProblem } from '../../ports/store/store.ts';

/** What an address answered. */
export interface LinkVisit {
  /** Null where there was no answer. */
  readonly status: number | null;
  /** Null where it is as it should be. */
  readonly problem: LinkProblem | null;
  /** How long the host asks to be left alone; such an answer says nothing about the address. */
  readonly waitSeconds: number | null;
}

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 5;

/** For a host that says that it is busy, but not for how long. */
const BUSY_SECONDS = 60;

/** Asks for an address as a browser would, and reads next to nothing of it. Errors: what the signal was aborted with. */
export async function visitLink(outbound: Outbound, url: string, signal: AbortSignal): Promise<LinkVisit> {
  const ask = (method: 'HEAD' | 'GET') =>
    outbound.request(url, {
      method,
      headers: { accept: '*/*', ...(method === 'GET' && { range: 'bytes=0-1023' }) },
      timeoutMs: TIMEOUT_MS,
      maxBytes: 1_024,
      whenLonger: 'cut',
      redirects: MAX_REDIRECTS,
      signal,
    });
  try {
    const head = await ask('HEAD');
    // Many hosts do not answer HEAD truthfully.
    return judge(head.status < 400 || isBusy(head) ? head : await ask('GET'));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { status: null, problem: problemOf(error), waitSeconds: null };
  }
}

function isBusy({ status, headers }: OutboundAnswer): boolean {
  return status === 429 || (status === 503 && headers['retry-after'] !== undefined);
}

function judge(answer: OutboundAnswer): LinkVisit {
  const { status } = answer;
  if (isBusy(answer)) return { status, problem: null, waitSeconds: waitOf(answer) };
  return { status, problem: problemOfStatus(status), waitSeconds: null };
}

function waitOf({ headers }: OutboundAnswer): number {
  const text = headers['retry-after'] ?? '';
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? BUSY_SECONDS : Math.max(1, seconds);
}

function problemOfStatus(status: number): LinkProblem | null {
  // 416 is only about the range that was asked for: the page is there.
  if (status < 400 || status === 416)
    return status >= 300 && status !== 304 && status !== 416 ? 'redirects' : null;
  if (status === 404) return 'not-found';
  if (status === 410) return 'gone';
  return status >= 500 ? 'server-error' : 'forbidden';
}

const problems: Readonly<Record<OutboundFailure, LinkProblem>> = {
  timeout: 'timeout',
  'no-host': 'no-host',
  certificate: 'certificate',
  'too-long': 'refused',
  redirects: 'redirects',
  connection: 'refused',
};

function problemOf({ code, data }: AppError): LinkProblem {
  if (code === 'OUTBOUND_REFUSED') return 'not-public';
  return problems[data.failure as OutboundFailure] ?? 'refused';
}

const DAY_MS = 86_400_000;

/** For how long, and how many times in a row, an address must fail in the same way to be believed dead. Only the host's own word
 *  about its page needs no second look. A page that people may well be able to see is never believed dead. */
const proofs: Readonly<Record<LinkProblem, { readonly days: number; readonly failures: number } | null>> = {
  'not-found': { days: 0, failures: 1 },
  gone: { days: 0, failures: 1 },
  // The name server of this host may be failing.
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
  // A dead address stays dead until there is an answer.
  const state = isProven || (before?.state === 'dead' && proof !== null) ? 'dead' : 'unsure';
  // With another problem the days are counted anew.
  const since = state === 'unsure' ? failingSince : sinceOf(before, 'dead', now);
  return { ...kept, state, since, failures };
}

function sinceOf(before: LinkCheck | undefined, state: LinkCheck['state'], now: Date): Date {
  return before?.state === state ? before.since : now;
}
