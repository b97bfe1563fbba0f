import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { beginVersionWork } from '../../../../src/adapters/local/meaning/encode-version.ts';
import { openModelStores } from '../../../../src/adapters/local/meaning/model-stores.ts';
import { AppError } from '../../../../src/errors.ts';
import { createWordEncoder, modelNamed } from '../../../fakes/word-encoder.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';

/** A version of labels alone, which counts how often they are read. */
function createContent(texts: readonly string[]) {
  const reads = { count: 0 };
  function* labelsOf() {
    reads.count++;
    for (const [label, text] of texts.entries()) yield { label, text, lang: 'en', isPreferred: true };
  }
  const objects = { listIds: () => [], findRecord: () => null };
  return { reads, content: { terms: { labelsOf }, objects } };
}

async function begin(texts: readonly string[]) {
  const encoder = createWordEncoder();
  const { reads, content } = createContent(texts);
  const folder = join(makeTempDir(), 'vectors');
  const lockFile = () => ({ release: () => undefined });
  const stores = await openModelStores({ folder, model: modelNamed('words'), lockFile });
  onTestFinished(() => stores.close());
  const { signal } = new AbortController();
  const work = await beginVersionWork(
    { content, others: [], stores, encoder, show: () => undefined },
    signal,
  );
  return { encoder, reads, work, encode: () => work.encode(signal) };
}

test('what is done is not read again', async () => {
  const { reads, encode } = await begin(['Python', 'baking']);
  expect(await encode()).toBe(2);
  const { count } = reads;
  expect(await encode()).toBe(0);
  expect(reads.count).toBe(count);
});

test('what failed is not done: it is looked at again', async () => {
  const { encoder, encode } = await begin(['Python', 'baking']);
  encoder.before = () => Promise.reject(new AppError('MODEL_UNAVAILABLE', 'It is overloaded.'));
  await expect(encode()).rejects.toThrow('overloaded');
  encoder.before = () => undefined;
  expect(await encode()).toBe(2);
});

test('a text that cannot be encoded keeps no other from it', async () => {
  const { encoder, work, encode } = await begin(['Python', 'poison', 'baking', 'welding']);
  const { encode: encodeAll } = encoder;
  encoder.encode = async (texts, options) => {
    if (texts.includes('poison')) throw new TypeError('It cannot be read.');
    return encodeAll(texts, options);
  };
  await encode();
  expect(work.progress.labels).toEqual({ done: 3, total: 4 });
  expect(await encode()).toBe(0);
});
