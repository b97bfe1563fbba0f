import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createRemoteEncoder,
  type RemoteEncoderOptions,
} from '../../../src/adapters/remote/remote-encoder.ts';
import type { AppError } from '../../../src/errors.ts';
import type { Encoder } from '../../../src/ports/encoder.ts';
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

function open(changes: Partial<RemoteEncoderOptions> = {}): Encoder {
  const encoder = createRemoteEncoder({
    // A machine that is busy for a moment must not make an answer late.
    ...{ url: service.url, model: EMBEDDINGS_MODEL, apiKey: EMBEDDINGS_KEY, timeoutMs: 10_000 },
    ...changes,
  });
  opened.push(encoder);
  return encoder;
}

async function encode(encoder: Encoder, texts: readonly string[], signal?: AbortSignal) {
  const encoded = await encoder.encode(texts, { kind: 'query', signal });
  return encoded.map(({ vector }) => vector);
}

/** Why there were no vectors. */
async function whyNot(encoder: Encoder, texts: readonly string[]): Promise<AppError> {
  const error = await errorOf(encode(encoder, texts));
  expect(error.code).toBe('MODEL_UNAVAILABLE');
  expect(error.message).toBe((error.cause as AppError).message);
  return error.cause as AppError;
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
  const vectors = await encode(open(), texts);
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
  const vectors = await encode(open(), textsOf(130));
  expect(service.inputs.map(({ length }) => length).sort((a, b) => a - b)).toEqual([2, 64, 64]);
  expect(vectors[129]![0]).toBeCloseTo(unit('text 129')[0]!, 5);
});

test('what was answered, or is under way, is not sent again', async () => {
  const encoder = open();
  await Promise.all([encode(encoder, ['a', 'b']), encode(encoder, ['b', 'c'])]);
  await encode(encoder, ['c', 'a', 'd']);
  expect(service.inputs.flat().sort()).toEqual(['a', 'b', 'c', 'd']);
});

test('no key is sent where there is none', async () => {
  const error = await whyNot(open({ apiKey: undefined }), ['a']);
  expect(error).toMatchObject({ code: 'UPSTREAM_KEY_REFUSED' });
  expect(error.message).toContain('undefined');
});

test('a key that is refused is not repeated, though the service repeats it', async () => {
  const error = await whyNot(open({ apiKey: 'the-wrong-key' }), ['a']);
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
    const encoder = open();
    expect(await whyNot(encoder, ['a', 'b'])).toMatchObject({ code: 'RESPONSE_INVALID' });
    // Nothing of it is kept.
    expect(await encode(encoder, ['a', 'b'])).toHaveLength(2);
    expect(service.inputs).toHaveLength(2);
  });

  test('another model than before; the new one is used from then on', async () => {
    const encoder = open();
    await encode(encoder, ['a']);
    service.reply(data((all) => all.map((each) => ({ ...each, embedding: [3, 4] }))));
    expect(await whyNot(encoder, ['a', 'b'])).toMatchObject({ code: 'RESPONSE_INVALID' });
    const vectors = await encode(encoder, ['a', 'b']);
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
  expect((await whyNot(open(), ['a'])).code).toBe(code);
  expect(service.inputs).toHaveLength(1);
});

test('who says when to come back is not asked before', async () => {
  const encoder = open();
  service.reply({ status: 429, body: {}, headers: { 'retry-after': '30' } });
  for (const text of ['a', 'b']) expect((await whyNot(encoder, [text])).code).toBe('UPSTREAM_THROTTLED');
  expect(service.inputs).toEqual([['a']]);
});

test.each<[string, UpstreamReply]>([
  ['does not answer', { breaks: 'hang' }],
  ['stops in the middle of an answer', { breaks: 'hang-in-body' }],
])('a service that %s is late, and is left alone when it was three times', async (_what, reply) => {
  const encoder = open({ callTimeoutMs: 150 });
  service.reply(reply);
  for (const text of ['a', 'b', 'c']) expect((await whyNot(encoder, [text])).code).toBe('UPSTREAM_TIMEOUT');
  expect((await whyNot(encoder, ['d'])).code).toBe('UPSTREAM_PAUSED');
  expect(service.inputs.flat()).not.toContain('d');
});

test('whoever waits no longer finds later what came too late for him', async () => {
  const encoder = open({ timeoutMs: 50 });
  service.reply({ delayMs: 200 });
  const texts = textsOf(3);
  for (let times = 0; times < 2; times++)
    expect((await whyNot(encoder, texts)).code).toBe('UPSTREAM_TIMEOUT');
  await expect.poll(() => encode(encoder, texts).catch(() => [])).toHaveLength(3);
  expect(service.inputs).toEqual([texts]);
});

test('a service that is not there is unreachable', async () => {
  await service.close();
  expect((await whyNot(open(), ['a'])).code).toBe('UPSTREAM_UNREACHABLE');
  service = await startFakeEmbeddings();
});

test('whoever goes away does not take the vectors of others along', async () => {
  const encoder = open();
  const controller = new AbortController();
  service.reply({ delayMs: 50 });
  const given = encode(encoder, ['a'], controller.signal);
  const other = encode(encoder, ['a']);
  controller.abort(new Error('nobody waits'));
  await expect(given).rejects.toThrow('nobody waits');
  expect(await other).toHaveLength(1);
  expect(service.inputs).toHaveLength(1);
});

test('the model is known from the first answer on; others of that name, or elsewhere, are others', async () => {
  const encoder = open();
  expect(encoder.model).toBeNull();
  await encode(encoder, ['a']);
  const { fingerprint } = encoder.model!;
  expect(encoder.model).toEqual({
    ...{ name: EMBEDDINGS_MODEL, dimensions: 32, langs: null },
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const again = open();
  await encode(again, ['b']);
  expect(again.model?.fingerprint).toBe(fingerprint);
  service.reply(data((all) => all.map((each) => ({ ...each, embedding: [3, 4] }))));
  await whyNot(encoder, ['a', 'c']);
  expect(encoder.model).toBeNull();
  await encode(encoder, ['a']);
  expect(encoder.model?.dimensions).toBe(2);
  expect(encoder.model?.fingerprint).not.toBe(fingerprint);
});

test('background work waits longer', async () => {
  const encoder = open({ timeoutMs: 50 });
  service.reply({ delayMs: 200 });
  expect(await encoder.encode(['a'], { kind: 'passage', isBackground: true })).toHaveLength(1);
});
