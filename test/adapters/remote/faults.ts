import type { ErrorCode } from '../../../src/errors.ts';
import type { UpstreamReply } from '../../fakes/upstream.ts';
import { flaky, rateLimited, type UpstreamReplier } from '../../fakes/upstream-replies.ts';

/** What a service may do instead of answering well, and what is to become of it. docs/upstreams.md has the table. */
export interface Fault {
  readonly reply: () => UpstreamReply | UpstreamReplier;
  /** Of what only reads; `ok` where an answer comes in the end. */
  readonly outcome: ErrorCode | 'ok';
  /** Of the four lists, where it differs. */
  readonly listOutcome?: ErrorCode;
  /** Of what is posted, where it differs. */
  readonly postOutcome?: ErrorCode | 'ok';
  /** How often the service is asked what only reads, and what is posted. */
  readonly calls: readonly [read: number, post: number];
  /** The one whose answer is not shown by the specification takes anything. */
  readonly feedbackOutcome?: 'ok';
  /** Of the extension: `none` where somebody answers who does not have it. */
  readonly searchOutcome?: 'none';
}

const page = '<!DOCTYPE html><html><head><title>Sign in</title></head></html>';
const throttle = (seconds: number) => ({ status: 429, body: {}, headers: { 'retry-after': `${seconds}` } });

export const faults: Readonly<Record<string, Fault>> = {
  'a slow answer': { reply: () => ({ delayMs: 40 }), outcome: 'ok', calls: [1, 1] },
  'a packed answer': { reply: () => ({ isPacked: true }), outcome: 'ok', calls: [1, 1] },
  'a wrong content type': {
    reply: () => ({ headers: { 'content-type': 'text/html' } }),
    outcome: 'ok',
    calls: [1, 1],
  },
  'every second call failing': {
    reply: () => flaky([true, false]),
    outcome: 'ok',
    postOutcome: 'UPSTREAM_FAILED',
    calls: [2, 1],
  },
  'two resets': {
    reply: () => flaky([true, true, false], { breaks: 'reset' }),
    outcome: 'ok',
    postOutcome: 'UPSTREAM_UNREACHABLE',
    calls: [3, 1],
  },
  'a real limit of which other requests used all': {
    reply() {
      const limited = rateLimited({ perSecond: 1 });
      limited({} as Parameters<UpstreamReplier>[0]);
      return limited;
    },
    outcome: 'ok',
    postOutcome: 'UPSTREAM_THROTTLED',
    calls: [2, 1],
  },
  '429 for longer than there is time': {
    reply: () => throttle(60),
    outcome: 'UPSTREAM_THROTTLED',
    calls: [1, 1],
  },
  '500': { reply: () => ({ status: 500, body: '' }), outcome: 'UPSTREAM_FAILED', calls: [1, 1] },
  '502 with a page': {
    reply: () => ({ status: 502, body: page }),
    outcome: 'UPSTREAM_FAILED',
    calls: [3, 1],
  },
  '503 for good': { reply: () => ({ status: 503, body: '' }), outcome: 'UPSTREAM_FAILED', calls: [3, 1] },
  '504 for good': { reply: () => ({ status: 504, body: '' }), outcome: 'UPSTREAM_FAILED', calls: [3, 1] },
  '503 within 200': {
    reply: () => ({ body: { statusCode: 503 } }),
    outcome: 'UPSTREAM_FAILED',
    calls: [3, 1],
  },
  '200 within 500': {
    reply: () => ({ status: 500, change: (body) => ({ ...body, statusCode: 200 }) }),
    outcome: 'UPSTREAM_FAILED',
    calls: [1, 1],
  },
  'a refused key': {
    reply: () => ({ status: 401, body: {} }),
    outcome: 'UPSTREAM_KEY_REFUSED',
    searchOutcome: 'none',
    calls: [1, 1],
  },
  'a refused request': {
    reply: () => ({ status: 400, body: { message: 'No.' } }),
    outcome: 'PARAMETERS_INVALID',
    listOutcome: 'UPSTREAM_FAILED',
    searchOutcome: 'none',
    calls: [1, 1],
  },
  'a redirect to another host': {
    reply: () => ({ status: 302, body: '', headers: { location: 'https://elsewhere.example/' } }),
    outcome: 'UPSTREAM_FAILED',
    searchOutcome: 'none',
    calls: [1, 1],
  },
  'a page': {
    reply: () => ({ body: page }),
    outcome: 'RESPONSE_INVALID',
    searchOutcome: 'none',
    calls: [1, 1],
  },
  'an empty answer': {
    reply: () => ({ body: '' }),
    outcome: 'RESPONSE_INVALID',
    feedbackOutcome: 'ok',
    searchOutcome: 'none',
    calls: [1, 1],
  },
  'JSON that is cut off': {
    reply: () => ({ breaks: 'truncated' }),
    outcome: 'RESPONSE_INVALID',
    searchOutcome: 'none',
    calls: [1, 1],
  },
  'JSON of something else': {
    reply: () => ({ body: { hello: 'world' } }),
    outcome: 'RESPONSE_INVALID',
    feedbackOutcome: 'ok',
    searchOutcome: 'none',
    calls: [1, 1],
  },
  'too large an answer': {
    reply: () => ({ body: ' '.repeat(2 * 1024 * 1024 + 1) }),
    outcome: 'RESPONSE_INVALID',
    calls: [1, 1],
  },
  'too large an answer that is packed': {
    reply: () => ({ body: ' '.repeat(2 * 1024 * 1024 + 1), isPacked: true }),
    outcome: 'RESPONSE_INVALID',
    calls: [1, 1],
  },
  'no answer': { reply: () => ({ breaks: 'hang' }), outcome: 'UPSTREAM_TIMEOUT', calls: [1, 1] },
  'half an answer': { reply: () => ({ breaks: 'hang-in-body' }), outcome: 'UPSTREAM_TIMEOUT', calls: [1, 1] },
  'a reset': { reply: () => ({ breaks: 'reset' }), outcome: 'UPSTREAM_UNREACHABLE', calls: [3, 1] },
  'a reset in the answer': {
    reply: () => ({ breaks: 'reset-in-body' }),
    outcome: 'UPSTREAM_UNREACHABLE',
    calls: [3, 1],
  },
};
