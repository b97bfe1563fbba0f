import { expect, test } from 'vitest';
import { createAnswerMeaning } from '../../../../src/adapters/local/meaning/answer-meaning.ts';
import { createWordsEncoder } from '../../../../src/adapters/local/meaning/encode-words.ts';
import type { VersionVectors } from '../../../../src/adapters/local/meaning/version-vectors.ts';
import { createVectorRows } from '../../../../src/engine/vectors/vector-rows.ts';
import { AppError } from '../../../../src/errors.ts';
import { createWordEncoder, modelNamed } from '../../../fakes/word-encoder.ts';

function open() {
  const encoder = createWordEncoder();
  const makeVectors = (): VersionVectors => ({
    model: modelNamed('words'),
    isComplete: true,
    labels: { rows: createVectorRows(64), rowOf: new Uint32Array() },
    objects: { rows: createVectorRows(64), rowOf: () => -1 },
    rowOfText: () => -1,
  });
  const state = { vectors: makeVectors() };
  const meaning = createAnswerMeaning({
    words: createWordsEncoder({ encoder, wordsMs: 60_000 }),
    terms: { sentencesOf: (text) => [{ text, start: 0 }] },
    vectors: () => state.vectors,
  });
  const search = (page: number) => meaning.ofSearch({ keywords: 'bread', page, scope: '' });
  return { encoder, meaning, search, state, makeVectors };
}

const fail = () => Promise.reject(new AppError('MODEL_UNAVAILABLE', 'It is overloaded.'));

test('all pages of a search go by meaning, also where the encoder fails or is gone after the first', async () => {
  const { encoder, search } = open();
  const first = await search(0);
  expect(first).not.toBeNull();
  encoder.before = fail;
  encoder.model = null;
  expect(await search(1)).toBe(first);
});

test('all pages of a search go by words where the first did', async () => {
  const { encoder, search } = open();
  encoder.before = fail;
  expect(await search(0)).toBeNull();
  encoder.before = () => undefined;
  expect(await search(1)).toBeNull();
});

test('all pages of a search have the vectors of the first, also while somebody else begins it', async () => {
  const { search, state, makeVectors } = open();
  const before = state.vectors;
  const first = await search(0);
  state.vectors = makeVectors();
  expect(await search(1)).toBe(first);
  expect(await search(0)).toBe(first);
  expect(first?.vectors).toBe(before);
});

test('while vectors are still made, who begins anew has what came since', async () => {
  const { search, state, makeVectors } = open();
  state.vectors = { ...makeVectors(), isComplete: false };
  const first = await search(0);
  state.vectors = makeVectors();
  expect(await search(1)).toBe(first);
  expect((await search(0))?.vectors).toBe(state.vectors);
});

test('who begins with another model has its vectors', async () => {
  const { encoder, search, state, makeVectors } = open();
  const first = await search(0);
  encoder.model = modelNamed('other');
  state.vectors = { ...makeVectors(), model: encoder.model };
  expect((await search(0))?.stamp).not.toBe(first?.stamp);
});

test('two who begin at once have the same', async () => {
  const { search } = open();
  const [one, other] = await Promise.all([search(0), search(0)]);
  expect(one).not.toBeNull();
  expect(other).toBe(one);
});

test('the same search has the same stamp, so that its answer is kept', async () => {
  const { search } = open();
  expect((await search(0))?.stamp).toBe((await search(0))?.stamp);
});

test('a text of which some sentences are late has the meaning of the others', async () => {
  const { encoder, meaning } = open();
  expect((await meaning.ofText('bread', 'en'))?.sentences).toHaveLength(1);
  encoder.before = fail;
  expect(await meaning.ofText('cheese', 'en')).toBeNull();
  expect(await meaning.ofText('bread', 'en')).not.toBeNull();
});

test('texts and terms of a language that the model does not read go by words; those of an unknown one do not', async () => {
  const { encoder, meaning, state } = open();
  state.vectors = { ...state.vectors, model: { ...modelNamed('words'), langs: ['en'] } };
  expect(await meaning.ofText('pain', 'fr')).toBeNull();
  expect(await meaning.ofTerm('pain', 'fr')).toBeNull();
  expect(encoder.calls).toEqual([]);
  expect(await meaning.ofTerm('bread', 'en')).not.toBeNull();
  expect(await meaning.ofTerm('cheese', null)).not.toBeNull();
});
