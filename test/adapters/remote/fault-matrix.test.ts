import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createUpstreams } from '../../../src/adapters/remote/upstreams.ts';
import type { LearningService } from '../../../src/ports/learning-service.ts';
import { searchOf } from '../../fakes/search-of.ts';
import type { UpstreamOperation } from '../../fakes/upstream-specification.ts';
import { draw } from '../../helpers/draw.ts';
import { loopbackAccess } from '../../helpers/private-access.ts';
import { type Fault, faults } from './faults.ts';
import { callAll, errorOf, operations, useRemote } from './start-remote.ts';

// Every operation with every fault: what comes out, and how often the service was asked.

/** Longer than a test may take. */
const TOTAL_MS = 60_000;
/** Of a call, where nothing answers. */
const HANG_MS = 1_000;
const remote = useRemote({ timeoutMs: TOTAL_MS, probeTimeoutMs: TOTAL_MS, hasExtension: true });
const isHang = ({ outcome }: Fault) => outcome === 'UPSTREAM_TIMEOUT';
const entries = Object.entries(faults);

const posted: readonly UpstreamOperation[] = ['tagger', 'feedback'];
const lists: readonly UpstreamOperation[] = ['provider', 'type', 'bloom', 'lang'];
const atGateway = operations.filter((operation) => !['similar', 'tagger', 'suggest'].includes(operation));

function expected(operation: UpstreamOperation, fault: Fault) {
  const isPosted = posted.includes(operation);
  const { outcome, listOutcome = outcome, postOutcome = outcome, calls } = fault;
  const { feedbackOutcome = postOutcome } = fault;
  const ofRead = lists.includes(operation) ? listOutcome : outcome;
  const ofPost = operation === 'feedback' ? feedbackOutcome : postOutcome;
  return { code: isPosted ? ofPost : ofRead, calls: calls[isPosted ? 1 : 0] };
}

/** The code of the error, `ok`, or `none` where there is no extension. */
async function outcomeOf(called: Promise<unknown>): Promise<string> {
  return called.then(
    (value) => (value === null ? 'none' : 'ok'),
    (error) => error.code ?? String(error),
  );
}

interface Trial {
  readonly operation: UpstreamOperation;
  readonly fault: Fault;
  readonly learning: LearningService;
}

async function tryOut({ operation, fault, learning }: Trial): Promise<void> {
  const { code, calls } = expected(operation, fault);
  remote.upstream.reply(operation, fault.reply());
  expect(await outcomeOf(callAll[operation](learning)), operation).toBe(code);
  const asked = remote.upstream.requests.filter((request) => request.operation === operation);
  expect(asked, operation).toHaveLength(calls);
}

describe.each(entries.filter(([, fault]) => !isHang(fault)))('%s', (name, fault) => {
  test.each(draw(operations, `${name} direct`, 2))('to %s', async (operation) => {
    await tryOut({ operation, fault, learning: remote.upstreams.connect(remote.direct()) });
    expect(remote.upstream.requests).toHaveLength(expected(operation, fault).calls);
  });

  test.each(draw(atGateway, `${name} at the gateway`))('to %s at the gateway', async (operation) => {
    await tryOut({ operation, fault, learning: remote.upstreams.connect(remote.gateway()) });
    expect(remote.upstream.requests).toHaveLength(expected(operation, fault).calls);
    for (const { path } of remote.upstream.requests) expect(path).toBe(`/gateway/lo/${operation}`);
  });
});

/** All at once, as each takes its whole time. */
describe.each(entries.filter(([, fault]) => isHang(fault)))('%s', (_name, fault) => {
  const impatient = () => remote.upstreamsWith({ attemptTimeoutMs: HANG_MS });

  test('of each operation', async () => {
    const learning = impatient().connect(remote.direct());
    await Promise.all(operations.map((operation) => tryOut({ operation, fault, learning })));
    expect(remote.upstream.requests).toHaveLength(operations.length);
  });

  test('to each operation at the gateway', async () => {
    const learning = impatient().connect(remote.gateway());
    await Promise.all(atGateway.map((operation) => tryOut({ operation, fault, learning })));
    const paths = remote.upstream.requests.map(({ path }) => path);
    expect(paths.toSorted()).toEqual(atGateway.map((operation) => `/gateway/lo/${operation}`).toSorted());
  });
});

describe.each(entries)('%s', (_name, fault) => {
  test('to the extension, once it is known to be there', async () => {
    const upstreams = isHang(fault) ? remote.upstreamsWith({ attemptTimeoutMs: HANG_MS }) : remote.upstreams;
    const search = () => upstreams.connect(remote.direct()).ask('searchMany', searchOf());
    expect(await search()).not.toBeNull();
    remote.upstream.requests.length = 0;
    const { outcome, searchOutcome = outcome, calls } = fault;
    remote.upstream.reply('search', fault.reply());
    expect(await outcomeOf(search())).toBe(searchOutcome);
    expect(remote.upstream.requests).toHaveLength(calls[0]);
  });
});

describe('a dead service', () => {
  test.each(operations)('cannot be reached by %s', async (operation) => {
    const learning = remote.upstreams.connect(remote.direct());
    await remote.upstream.stop();
    expect(await errorOf(callAll[operation](learning))).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
  });

  test.each(operations)('that is back is reached by %s', async (operation) => {
    const upstreams = createUpstreams({
      privateAccess: loopbackAccess,
      policies: { minDelayMs: 300, maxFailures: 9 },
    });
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

  test.each(operations)('ends %s', async (operation) => {
    remote.upstream.reply(operation, { breaks: 'hang' });
    const caller = new AbortController();
    const called = callAll[operation](remote.upstreams.connect(remote.direct()), { signal: caller.signal });
    await expect.poll(() => remote.upstream.requests, { interval: 2 }).toHaveLength(1);
    caller.abort(reason);
    await expect(called).rejects.toBe(reason);
    await expect.poll(() => remote.upstream.aborted, { interval: 2 }).toHaveLength(1);
    expect(remote.upstream.requests).toHaveLength(1);
  });

  test('between two attempts ends the call', async () => {
    const upstreams = createUpstreams({ privateAccess: loopbackAccess, policies: { minDelayMs: 200 } });
    remote.upstream.reply('*', { status: 503, body: '' });
    const caller = new AbortController();
    const called = callAll.type(upstreams.connect(remote.direct()), { signal: caller.signal });
    await expect.poll(() => remote.upstream.requests, { interval: 2 }).toHaveLength(1);
    caller.abort(reason);
    await expect(called).rejects.toBe(reason);
    // Begun later, this call is made again in vain; the other one would have been made again before.
    const later = callAll.lang(upstreams.connect(remote.direct()), {});
    await expect(later).rejects.toMatchObject({ code: 'UPSTREAM_FAILED' });
    const operations = remote.upstream.requests.map((request) => request.operation);
    expect(operations).toContain('lang');
    expect(operations.filter((operation) => operation === 'type')).toHaveLength(1);
    await upstreams.close();
  });

  test.each(operations)('before %s makes no call', async (operation) => {
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
