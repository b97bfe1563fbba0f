import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openOpenSearch } from '../../../src/adapters/opensearch/client.ts';
import { readSources } from '../../../src/adapters/opensearch/documents.ts';
import { findInIndex } from '../../../src/adapters/opensearch/find.ts';
import { openOpenSearchIndex } from '../../../src/adapters/opensearch/opensearch-index.ts';
import { refuseUnsupportedVersion } from '../../../src/adapters/opensearch/versions.ts';
import { hashObjectAddress } from '../../../src/domain/learning-object.ts';
import type { ExternalPlan } from '../../../src/engine/objects/search/external-plan.ts';
import { indexOf } from '../../engine/objects/fixtures.ts';

const PASSWORD = 'a-very-secret-word';

/** @returns the address of a server that answers so, until the end of the test */
async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A client of a server that answers everything so.
 *  @param body a text is no JSON */
async function clientOf(status: number, body: object | string) {
  const seen = { requests: 0, authorization: '' };
  const node = await startServer((request, response) => {
    seen.requests++;
    seen.authorization = request.headers.authorization ?? '';
    const type = typeof body === 'string' ? 'text/html' : 'application/json';
    response.writeHead(status, { 'content-type': type });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const user = { name: 'skilldock', password: PASSWORD };
  const client = openOpenSearch({ nodes: [node], user, pauseMs: 60_000 });
  onTestFinished(() => client.close());
  return {
    client,
    seen,
    ask: () => client.ask({ method: 'GET', path: '/' }).catch((error: unknown) => error),
  };
}

test.each([
  [401, {}, 'refused', /refused the user or key/],
  [403, {}, 'refused', /refused the user or key/],
  [404, { error: { type: 'index_not_found_exception' } }, 'index-missing', /no such index/],
  [413, {}, 'too-large', /too large/],
  [429, {}, 'busy', /more to do than it can/],
  [429, { error: { type: 'search_phase_execution_exception' } }, 'busy', /more to do than it can/],
  [503, {}, 'unready', /its state is red/],
  [400, { error: { type: 'search_phase_execution_exception' } }, 'unready', /its state is red/],
  [404, { error: { type: 'search_phase_execution_exception' } }, 'unready', /its state is red/],
  [500, { error: { type: 'odd' } }, 'failed', /answered 500 odd/],
  [200, '<html></html>', 'failed', /does not answer as OpenSearch does/],
  [302, '', 'failed', /does not answer as OpenSearch does/],
])('%i %j is told as %s, and never with the password', async (status, body, reason, words) => {
  const { ask, seen } = await clientOf(status, body);
  const error = await ask();
  expect(error).toMatchObject({
    code: 'CATALOG_UNAVAILABLE',
    data: { reason },
    message: expect.stringMatching(words),
  });
  expect(seen.authorization).toBe(`Basic ${Buffer.from(`skilldock:${PASSWORD}`).toString('base64')}`);
  const shown = inspect(error, { depth: 10, showHidden: true });
  expect(shown).not.toContain(PASSWORD);
  expect(shown).not.toContain(seen.authorization);
});

test('an answer that is too long is not read to its end', async () => {
  const { ask } = await clientOf(200, { long: 'x'.repeat(9 * 2 ** 20) });
  expect(await ask()).toMatchObject({ data: { reason: 'failed' }, message: expect.stringContaining('8 MB') });
});

const hit = { _source: { record: null } };
const list = {
  kind: 'list',
  request: { filters: {}, sort: 'shortest', offset: 0, limit: 5 },
} as unknown as ExternalPlan;

test.each([
  [{}, 'failed'],
  [{ hits: null }, 'failed'],
  [{ hits: { hits: [{}], total: { value: 1 } } }, 'failed'],
  [{ hits: { hits: [hit], total: { value: 1 } } }, 'failed'],
  [{ hits: { hits: [], total: { value: 0 } }, timed_out: true }, 'unready'],
  [{ hits: { hits: [], total: { value: 0 } }, _shards: { failed: 2 } }, 'unready'],
])('%j is no result of a search', async (answer, reason) => {
  const { client } = await clientOf(200, answer);
  const options = { client, index: 'a', maxWindow: 10, onSource: () => undefined };
  const result = findInIndex(options, list, { offset: 0, limit: 5, selected: [] });
  await expect(result).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE', data: { reason } });
});

test.each([{ timed_out: true }, { _shards: { failed: 1 } }])(
  'rejects a late page when the answer to a read of earlier ranks has %j',
  async (fault) => {
    const { client, seen } = await clientOf(200, { pit_id: 'p', hits: { hits: [], total: { value: 40 } }, ...fault });
    const options = { client, index: 'a', maxWindow: 10, onSource: () => undefined };
    const result = findInIndex(options, list, { offset: 20, limit: 5, selected: [] });
    await expect(result).rejects.toMatchObject({ code: 'CATALOG_UNAVAILABLE', data: { reason: 'unready' } });
    // Opens the point in time, reads once and closes it: no page follows the incomplete answer.
    expect(seen.requests).toBe(3);
  },
);

test('an object on a shard that is away is not missing', async () => {
  const { client } = await clientOf(200, {
    docs: [{ _id: 'a', error: { type: 'no_shard_available_action_exception' } }],
  });
  await expect(readSources(client, 'a', ['https://a.example'])).rejects.toMatchObject({ data: { reason: 'unready' } });
});

test('an object that was read before is found among more than are kept', async () => {
  const addresses = Array.from({ length: 5_001 }, (_, i) => `https://a.example/${i}`);
  const byId = new Map(addresses.map((url) => [hashObjectAddress(url), url]));
  const version = `${'0'.repeat(16)}-starter`;
  const node = await startServer(async (request, response) => {
    const { ids = [] } = JSON.parse((await text(request)) || '{}') as { ids?: string[] };
    const docs = ids.map((id) => ({ _source: { url: byId.get(id), record: '{}', about: [], topics: [] } }));
    const meta = { [`test-${version}`]: { mappings: { _meta: { documents: addresses.length } } } };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(ids.length > 0 ? { docs } : meta));
  });
  const index = openOpenSearchIndex({ nodes: [node], prefix: 'test' });
  onTestFinished(() => index.close());
  const { find } = index.open(version, indexOf().select([])[0]!);
  const [first = '', ...others] = addresses;
  await find([first, ...others.slice(1)]);
  expect([...(await find([...others, first])).keys()]).toEqual([...others, first]);
});

test('pauses after five failures in a row', async () => {
  const { ask, seen } = await clientOf(503, {});
  for (let i = 0; i < 5; i++) await ask();
  expect(await ask()).toMatchObject({ data: { reason: 'paused' }, retryAfterSeconds: expect.any(Number) });
  expect(seen.requests).toBe(5);
});

test('does not count a refusal as a failure', async () => {
  const { ask, seen } = await clientOf(403, {});
  for (let i = 0; i < 7; i++) await ask();
  expect(seen.requests).toBe(7);
});

test.each(['2.11.0', '2.19.1', '3.0.0', '3.7.2'])('accepts OpenSearch %s', (number) => {
  expect(() => refuseUnsupportedVersion({ number, distribution: 'opensearch' })).not.toThrow();
});

test.each([
  { number: '2.10.0', distribution: 'opensearch' },
  { number: '4.0.0', distribution: 'opensearch' },
  { number: '8.12.0' },
])('%j cannot, and is named', (version) => {
  expect(() => refuseUnsupportedVersion(version)).toThrow(version.number);
});
