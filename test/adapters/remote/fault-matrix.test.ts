import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createUpstreams } from '../../../src/adapters/remote/create-upstreams.ts';
import type { ErrorCode } from '../../../src/errors.ts';
import type { UpstreamReply } from '../../fakes/upstream.ts';
import { flaky, rateLimited, type UpstreamReplier } from '../../fakes/upstream-replies.ts';
import type { UpstreamOperation } from '../../fakes/upstream-specification.ts';
import { callAll, errorOf, operations, useRemote } from './start-remote.ts';

/** Every operation with every fault: what comes out, and how often the service was asked. docs/upstreams.md has the table. */
const TOTAL_MS = 2_500;
const ATTEMPT_MS = 250;
const remote = useRemote({ timeoutMs: TOTAL_MS, attemptTimeoutMs: ATTEMPT_MS });

const posted: readonly UpstreamOperation[] = ['tagger', 'feedback'];

interface Fault {
  readonly reply: () => UpstreamReply | UpstreamReplier;
  /** Of what only reads; `ok` where an answer comes in the end. */
  readonly outcome: ErrorCode | 'ok';
  /** Of what is posted, where it differs. */
  readonly postOutcome?: ErrorCode | 'ok';
  /** How often the service is asked what only reads, and what is posted. */
  readonly calls: readonly [read: number, post: number];
  /** The one whose answer is not shown by the specification takes anything. */
  readonly feedbackOutcome?: 'ok';
}

const page = '<!DOCTYPE html><html><head><title>Sign in</title></head></html>';
const throttle = (seconds: number) => ({ status: 429, body: {}, headers: { 'retry-after': `${seconds}` } });

const faults: Readonly<Record<string, Fault>> = {
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
    calls: [1, 1],
  },
  'a refused request': {
    reply: () => ({ status: 400, body: { message: 'No.' } }),
    outcome: 'PARAMETERS_INVALID',
    calls: [1, 1],
  },
  'a redirect to another host': {
    reply: () => ({ status: 302, body: '', headers: { location: 'https://elsewhere.example/' } }),
    outcome: 'UPSTREAM_FAILED',
    calls: [1, 1],
  },
  'a page': { reply: () => ({ body: page }), outcome: 'RESPONSE_INVALID', calls: [1, 1] },
  'an empty answer': {
    reply: () => ({ body: '' }),
    outcome: 'RESPONSE_INVALID',
    feedbackOutcome: 'ok',
    calls: [1, 1],
  },
  'JSON that is cut off': {
    reply: () => ({ breaks: 'truncated' }),
    outcome: 'RESPONSE_INVALID',
    calls: [1, 1],
  },
  'JSON of something else': {
    reply: () => ({ body: { hello: 'world' } }),
    outcome: 'RESPONSE_INVALID',
    feedbackOutcome: 'ok',
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

function expected(operation: UpstreamOperation, fault: Fault) {
  const isPosted = posted.includes(operation);
  const { outcome, postOutcome = outcome, feedbackOutcome = postOutcome, calls } = fault;
  const [ofRead, ofPost] = [outcome, operation === 'feedback' ? feedbackOutcome : postOutcome];
  return { code: isPosted ? ofPost : ofRead, calls: calls[isPosted ? 1 : 0] };
}

/** The code of the error, or `ok`. */
async function outcomeOf(called: Promise<unknown>): Promise<string> {
  return called.then(
    () => 'ok',
    (error) => error.code ?? String(error),
  );
}

describe.each(Object.keys(faults))('%s', (name) => {
  test.each(operations)('to %s', async (operation) => {
    const fault = faults[name]!;
    const { code, calls } = expected(operation, fault);
    remote.upstream.reply(operation, fault.reply());
    const startedAt = performance.now();
    expect(await outcomeOf(callAll[operation](remote.upstreams.connect(remote.direct())))).toBe(code);
    expect(performance.now() - startedAt).toBeLessThan(TOTAL_MS + 500);
    expect(remote.upstream.requests).toHaveLength(calls);
  });
});

describe('a dead service', () => {
  test.each(operations)('cannot be reached by %s', async (operation) => {
    const learning = remote.upstreams.connect(remote.direct());
    await remote.upstream.stop();
    expect(await errorOf(callAll[operation](learning))).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
  });

  test.each(operations)('that comes back is found by %s, posted or not', async (operation) => {
    const upstreams = createUpstreams({ allowPrivate: true, policies: { minDelayMs: 300, maxFailures: 9 } });
    await remote.upstream.stop();
    const called = outcomeOf(callAll[operation](upstreams.connect(remote.direct())));
    await remote.upstream.restart();
    expect(await called).toBe('ok');
    expect(remote.upstream.requests).toHaveLength(1);
    await upstreams.close();
  });
});

describe('a caller who goes away', () => {
  const reason = new Error('the page was left');

  test.each(operations)('takes %s along', async (operation) => {
    remote.upstream.reply(operation, { breaks: 'hang' });
    const caller = new AbortController();
    const called = callAll[operation](remote.upstreams.connect(remote.direct()), { signal: caller.signal });
    while (remote.upstream.requests.length === 0) await new Promise((done) => setTimeout(done, 2));
    caller.abort(reason);
    await expect(called).rejects.toBe(reason);
    while (remote.upstream.aborted.length === 0) await new Promise((done) => setTimeout(done, 2));
    expect(remote.upstream.requests).toHaveLength(1);
  });

  test('while a call is to be made again is the end of it', async () => {
    const upstreams = createUpstreams({ allowPrivate: true, policies: { minDelayMs: 200 } });
    remote.upstream.reply('*', { status: 503, body: '' });
    const caller = new AbortController();
    const called = callAll.type(upstreams.connect(remote.direct()), { signal: caller.signal });
    while (remote.upstream.requests.length === 0) await new Promise((done) => setTimeout(done, 2));
    caller.abort(reason);
    await expect(called).rejects.toBe(reason);
    await new Promise((done) => setTimeout(done, 250));
    expect(remote.upstream.requests).toHaveLength(1);
    await upstreams.close();
  });

  test.each(operations)('before %s asks nothing', async (operation) => {
    const called = callAll[operation](remote.upstreams.connect(remote.direct()), {
      signal: AbortSignal.abort(reason),
    });
    await expect(called).rejects.toBe(reason);
    expect(remote.upstream.requests).toEqual([]);
  });
});

describe('a redirect to another origin', () => {
  test('is followed neither with nor without a key', async () => {
    let asked = 0;
    const other = createServer((_request, response) => {
      asked++;
      response.end('[]');
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as { port: number };
    for (const operation of operations) {
      const headers = { location: `http://127.0.0.1:${port}/` };
      remote.upstream.reply(operation, { status: 307, body: '', headers });
      const error = await errorOf(callAll[operation](remote.upstreams.connect(remote.direct())));
      expect(error).toMatchObject({ code: 'UPSTREAM_FAILED' });
    }
    other.close();
    expect(asked).toBe(0);
  });
});
