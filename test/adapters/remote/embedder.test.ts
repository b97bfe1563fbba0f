import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEmbedder, type EmbedderOptions } from '../../../src/adapters/remote/embedder.ts';
import {
  EMBEDDINGS_KEY,
  EMBEDDINGS_MODEL,
  type EmbeddingsBody,
  embedWords,
  type FakeEmbeddings,
  startFakeEmbeddings,
} from '../../fakes/embeddings.ts';
import type { UpstreamReply } from '../../fakes/upstream-replies.ts';
import { errorOf } from './start-remote.ts';

let service: FakeEmbeddings;
const opened: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  service = await startFakeEmbeddings();
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await service.close();
});

function open(changes: Partial<EmbedderOptions> = {}) {
  const embedder = createEmbedder({
    // A machine that is busy for a moment must not make an answer late.
    ...{ url: service.url, model: EMBEDDINGS_MODEL, apiKey: EMBEDDINGS_KEY, timeoutMs: 10_000 },
    ...changes,
  });
  opened.push(embedder);
  return embedder;
}

const textsOf = (count: number, name = 'text') => Array.from({ length: count }, (_, i) => `${name} ${i}`);

/** That of the fake, made to have length 1. */
function unit(text: string): number[] {
  const numbers = embedWords(text);
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
}

test('gives a vector of length 1 for each text, in the order of the texts', async () => {
  const texts = ['python for beginners', 'welding', 'python for beginners', 'cooking'];
  const vectors = await open().embed(texts);
  expect(service.inputs).toEqual([['python for beginners', 'welding', 'cooking']]);
  expect(vectors).toHaveLength(4);
  vectors.forEach((vector, index) => {
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    unit(texts[index]!).forEach((number, i) => {
      expect(vector[i]).toBeCloseTo(number, 5);
    });
  });
});

test('many texts go in batches of 64', async () => {
  const vectors = await open().embed(textsOf(130));
  expect(service.inputs.map(({ length }) => length).sort((a, b) => a - b)).toEqual([2, 64, 64]);
  expect(vectors[129]![0]).toBeCloseTo(unit('text 129')[0]!, 5);
});

test('what was answered, or is under way, is not sent again', async () => {
  const embedder = open();
  await Promise.all([embedder.embed(['a', 'b']), embedder.embed(['b', 'c'])]);
  await embedder.embed(['c', 'a', 'd']);
  expect(service.inputs.flat().sort()).toEqual(['a', 'b', 'c', 'd']);
});

test('no key is sent where there is none', async () => {
  const error = await errorOf(open({ apiKey: undefined }).embed(['a']));
  expect(error).toMatchObject({ code: 'UPSTREAM_KEY_REFUSED' });
  expect(error.message).toContain('undefined');
});

test('a key that is refused is not repeated, though the service repeats it', async () => {
  const error = await errorOf(open({ apiKey: 'the-wrong-key' }).embed(['a']));
  expect(error.code).toBe('UPSTREAM_KEY_REFUSED');
  expect(error.message).toContain('Incorrect API key provided: •••');
  expect(JSON.stringify([error.message, error.data, String(error.cause)])).not.toContain('wrong-key');
});

/** What is done to the good answer. */
const data = (change: (data: EmbeddingsBody['data']) => readonly object[]) => ({
  change: (body: EmbeddingsBody) => ({ ...body, data: change(body.data) }),
});
const firstVector = (change: (embedding: readonly number[]) => unknown) =>
  data(([first, ...others]) => [{ ...first!, embedding: change(first!.embedding) }, ...others]);

/** It would be right but for its size. */
const tooMuch = { change: (body: EmbeddingsBody) => ({ ...body, more: 'x'.repeat(8 * 1024 * 1024) }) };

describe('what cannot be used is refused:', () => {
  const nonsense: Readonly<Record<string, UpstreamReply>> = {
    'too few vectors': data((all) => all.slice(1)),
    'too many vectors': data((all) => [...all, { ...all[0], index: all.length }]),
    'a text twice': data(([first, ...others]) => [{ ...first, index: 0 }, ...others]),
    'no index': data((all) => all.map(({ embedding }) => ({ embedding }))),
    'several dimensions': firstVector((numbers) => numbers.slice(1)),
    'no numbers': firstVector(() => []),
    'text for numbers': firstVector(() => 'AAAAAA=='),
    'a number that is none': firstVector(([, ...numbers]) => [null, ...numbers]),
    'a vector of length 0': firstVector((numbers) => numbers.map(() => 0)),
    NaN: { body: '{"data":[{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}' },
    'an infinite number': { body: '{"data":[{"index":0,"embedding":[1e999]},{"index":1,"embedding":[1]}]}' },
    'numbers without a length': {
      body: '{"data":[{"index":0,"embedding":[1e300]},{"index":1,"embedding":[1]}]}',
    },
    'no data': { body: {} },
    'a page': { body: '<title>Welcome</title>' },
    'half of an answer': { breaks: 'truncated' },
    'more than 8 MB': tooMuch,
    'the same, packed': { ...tooMuch, isPacked: true },
  };

  test.each(Object.entries(nonsense))('%s', async (_what, reply) => {
    service.reply(reply, undefined);
    const embedder = open();
    expect(await errorOf(embedder.embed(['a', 'b']))).toMatchObject({ code: 'RESPONSE_INVALID' });
    // Nothing of it is kept.
    expect(await embedder.embed(['a', 'b'])).toHaveLength(2);
    expect(service.inputs).toHaveLength(2);
  });

  test('another model than before; the new one is used from then on', async () => {
    const embedder = open();
    await embedder.embed(['a']);
    service.reply(data((all) => all.map((each) => ({ ...each, embedding: [3, 4] }))));
    expect(await errorOf(embedder.embed(['a', 'b']))).toMatchObject({ code: 'RESPONSE_INVALID' });
    const vectors = await embedder.embed(['a', 'b']);
    expect(vectors.map(({ length }) => length)).toEqual([2, 2]);
  });
});

test.each([
  [429, 'UPSTREAM_THROTTLED'],
  [500, 'UPSTREAM_FAILED'],
  [503, 'UPSTREAM_FAILED'],
  [404, 'UPSTREAM_FAILED'],
])('%i is %s, and is not tried again', async (status, code) => {
  service.reply({ status, body: { error: { message: 'No.' } } });
  expect((await errorOf(open().embed(['a']))).code).toBe(code);
  expect(service.inputs).toHaveLength(1);
});

test('who says when to come back is not asked before', async () => {
  const embedder = open();
  service.reply({ status: 429, body: {}, headers: { 'retry-after': '30' } });
  for (const text of ['a', 'b'])
    expect((await errorOf(embedder.embed([text]))).code).toBe('UPSTREAM_THROTTLED');
  expect(service.inputs).toEqual([['a']]);
});

test.each<[string, UpstreamReply]>([
  ['does not answer', { breaks: 'hang' }],
  ['stops in the middle of an answer', { breaks: 'hang-in-body' }],
])('a service that %s is late, and is left alone when it was three times', async (_what, reply) => {
  const embedder = open({ callTimeoutMs: 150 });
  service.reply(reply);
  for (const text of ['a', 'b', 'c'])
    expect((await errorOf(embedder.embed([text]))).code).toBe('UPSTREAM_TIMEOUT');
  expect((await errorOf(embedder.embed(['d']))).code).toBe('UPSTREAM_PAUSED');
  expect(service.inputs.flat()).not.toContain('d');
});

test('whoever waits no longer finds later what came too late for him', async () => {
  const embedder = open({ timeoutMs: 50 });
  service.reply({ delayMs: 200 });
  const texts = textsOf(3);
  for (let times = 0; times < 2; times++)
    expect((await errorOf(embedder.embed(texts))).code).toBe('UPSTREAM_TIMEOUT');
  await expect.poll(() => embedder.embed(texts).catch(() => [])).toHaveLength(3);
  expect(service.inputs).toEqual([texts]);
});

test('a service that is not there is unreachable', async () => {
  await service.close();
  expect((await errorOf(open().embed(['a']))).code).toBe('UPSTREAM_UNREACHABLE');
  service = await startFakeEmbeddings();
});

test('whoever goes away does not take the vectors of others along', async () => {
  const embedder = open();
  const controller = new AbortController();
  service.reply({ delayMs: 50 });
  const given = embedder.embed(['a'], controller.signal);
  const other = embedder.embed(['a']);
  controller.abort(new Error('nobody waits'));
  await expect(given).rejects.toThrow('nobody waits');
  expect(await other).toHaveLength(1);
  expect(service.inputs).toHaveLength(1);
});
