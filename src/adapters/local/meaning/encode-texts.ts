import { setImmediate as nextTurn } from 'node:timers/promises';
import { NONE } from '../../../engine/terms/term-data.ts';
import { AppError } from '../../../errors.ts';
import type { Encoder } from '../../../ports/encoder.ts';
import { keyOfText, type VectorStore } from './vector-store.ts';

/** Texts of a version of the catalogue that are to have vectors. */
export interface TextSet {
  /** Those first that are wanted first; none is empty. */
  texts(): Iterable<NumberedText>;
  /** By number of a text: its row, or NONE. */
  readonly rowOf: Uint32Array;
}

export interface NumberedText {
  readonly number: number;
  readonly text: string;
}

/** Looked at without letting others in between: about a millisecond. */
const SLICE = 200;
/** Encoded together: fewer make the processor wait, more make whoever asks meanwhile wait. */
const BATCH = 16;
/** Texts of like length are encoded together, as the longest of a batch makes the others as long: out of so many. */
const LOOK_AHEAD = 32 * BATCH;

/** Writes the rows of the texts that the store has, and NONE for the others.
 *  @param keys to which those of all texts are added
 *  @returns how many texts there are
 *  Errors: the signal's reason. */
export async function findRows(
  set: TextSet,
  store: VectorStore,
  { keys, signal }: { readonly keys: Set<number>; readonly signal: AbortSignal },
): Promise<number> {
  let count = 0;
  for await (const { number, text } of inSlices(set, signal)) {
    const key = keyOfText(text);
    keys.add(key);
    count++;
    const row = store.find(key);
    set.rowOf[number] = row < 0 ? NONE : row;
  }
  return count;
}

export interface EncodeTextsOptions {
  readonly store: VectorStore;
  readonly encoder: Encoder;
  readonly signal: AbortSignal;
  /** Told after each batch how many texts have a vector since the one before. */
  onEncoded(count: number): void;
}

/** Encodes texts without a row and keeps their vectors, batch by batch: what is kept stays, whatever comes after.
 *  Errors: those of the encoder and of writing; the signal's reason. */
export async function encodeTexts(set: TextSet, options: EncodeTextsOptions): Promise<void> {
  let waiting: NumberedText[] = [];
  for await (const each of inSlices(set, options.signal)) {
    if (set.rowOf[each.number] !== NONE) continue;
    waiting.push(each);
    if (waiting.length < LOOK_AHEAD) continue;
    await encodeByLength(set, waiting, options);
    waiting = [];
  }
  await encodeByLength(set, waiting, options);
}

async function encodeByLength(
  { rowOf }: TextSet,
  waiting: readonly NumberedText[],
  options: EncodeTextsOptions,
): Promise<void> {
  const sorted = waiting.toSorted((a, b) => a.text.length - b.text.length);
  for (let at = 0; at < sorted.length; at += BATCH) {
    const batch = sorted.slice(at, at + BATCH);
    await keepEach(
      batch.map(({ text }) => text),
      options,
    );
    for (const { number, text } of batch) rowOf[number] = options.store.find(keyOfText(text));
    options.onEncoded(batch.length);
  }
}

/** The same as `keepVectors`; where a text among others cannot be encoded, it alone is left without a vector, and not those behind it.
 *  Errors: as `keepVectors`, where none of them can be encoded. */
async function keepEach(texts: readonly string[], options: EncodeTextsOptions): Promise<void> {
  try {
    await keepVectors(texts, options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (options.encoder.model?.fingerprint !== options.store.model.fingerprint) throw error;
    let kept = 0;
    for (const text of texts) {
      const isKept = await keepVectors([text], options).then(
        () => true,
        () => false,
      );
      options.signal.throwIfAborted();
      if (isKept) kept++;
    }
    if (kept === 0) throw error;
  }
}

/** Encodes and keeps those of a few texts that the store does not have.
 *  @returns how many those were
 *  Errors: as `encodeTexts`. */
export async function keepVectors(
  texts: readonly string[],
  { store, encoder, signal }: Pick<EncodeTextsOptions, 'store' | 'encoder' | 'signal'>,
): Promise<number> {
  // The same label is in many taxonomies.
  const unknown = [...new Set(texts)].filter((text) => store.find(keyOfText(text)) < 0);
  if (unknown.length === 0) return 0;
  const encoded = await encoder.encode(unknown, { kind: 'passage', isBackground: true, signal });
  signal.throwIfAborted();
  const { fingerprint, dimensions } = store.model;
  const fits = encoded.every(({ vector }) => vector.length === dimensions);
  if (encoder.model?.fingerprint !== fingerprint || !fits) throw createOtherModelError();
  await store.add(
    unknown.map(keyOfText),
    encoded.map(({ vector }) => vector),
  );
  return unknown.length;
}

async function* inSlices(set: TextSet, signal: AbortSignal): AsyncGenerator<NumberedText> {
  let count = 0;
  for (const each of set.texts()) {
    if (count++ % SLICE === 0) await nextTurn(undefined, { signal });
    yield each;
  }
}

/** The model was exchanged meanwhile. */
function createOtherModelError(): AppError {
  return new AppError('MODEL_UNAVAILABLE', 'Another model encodes now; what it encodes is kept by itself.');
}
