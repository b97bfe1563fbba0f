import { createHash } from 'node:crypto';
import { AppError } from '../../src/errors.ts';
import type { EncodedText, EncodeOptions, Encoder, EncoderModel } from '../../src/ports/encoder.ts';

/** An encoder whose vectors are sums of directions of words, so that texts with words in common are near each other, and those of
 *  `meanings` are one word: without a model, but real vectors. */
export interface WordEncoder extends Encoder {
  model: EncoderModel | null;
  /** What was encoded, in order. */
  readonly calls: { readonly texts: readonly string[]; readonly options: EncodeOptions }[];
  /** Called before a text is encoded; it may wait, or fail. */
  before: (options: EncodeOptions) => Promise<void> | void;
}

const DIMENSIONS = 64;

/** @param meanings words that mean the same as another one */
export function createWordEncoder(meanings: Readonly<Record<string, string>> = {}): WordEncoder {
  const calls: WordEncoder['calls'] = [];
  const encoder: WordEncoder = {
    model: modelNamed('words'),
    calls,
    before: () => undefined,
    async encode(texts, options) {
      if (texts.includes('')) throw new TypeError('an empty text cannot be encoded');
      options.signal?.throwIfAborted();
      const { model } = encoder;
      if (model === null) throw new AppError('MODEL_UNAVAILABLE', 'There is no model.');
      calls.push({ texts, options });
      await abortable(encoder.before(options), options.signal);
      return texts.map((text) => encodeText(text, { ...options, meanings, ...model }));
    },
    close: async () => undefined,
  };
  return encoder;
}

export function modelNamed(name: string, changes: Partial<EncoderModel> = {}): EncoderModel {
  const fingerprint = createHash('sha256').update(name).digest('hex');
  return { name, fingerprint, dimensions: DIMENSIONS, langs: ['en'], ...changes };
}

async function abortable(work: Promise<void> | void, signal: AbortSignal | undefined): Promise<void> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal?.reason);
  });
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

type Encoding = EncodeOptions & EncoderModel & { readonly meanings: Readonly<Record<string, string>> };

function encodeText(
  text: string,
  { dimensions, fingerprint, tokens = false, meanings }: Encoding,
): EncodedText {
  const spans: number[] = [];
  const vectors: number[] = [];
  const sum = new Float32Array(dimensions);
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const meant = meanings[word.toLowerCase()] ?? word.toLowerCase();
    const direction = directionOf(`${fingerprint} ${meant}`, dimensions);
    spans.push(index, index + word.length);
    vectors.push(...direction);
    for (const [k, value] of direction.entries()) sum[k] = (sum[k] ?? 0) + value;
  }
  const length = Math.hypot(...sum) || 1;
  const vector = sum.map((value) => value / length);
  return {
    vector,
    ...(tokens && { tokens: { vectors: Float32Array.from(vectors), spans: Uint32Array.from(spans) } }),
  };
}

function directionOf(word: string, dimensions: number): Float32Array {
  const bytes = Buffer.concat(
    Array.from({ length: Math.ceil(dimensions / 32) }, (_, n) =>
      createHash('sha256').update(`${n} ${word}`).digest(),
    ),
  );
  const direction = Float32Array.from({ length: dimensions }, (_, k) => (bytes[k] ?? 0) / 127.5 - 1);
  const length = Math.hypot(...direction);
  return direction.map((value) => value / length);
}
