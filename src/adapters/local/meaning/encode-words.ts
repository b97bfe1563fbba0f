import { LRUCache } from 'lru-cache';
import type { SentenceMeaning } from '../../../engine/terms/types.ts';
import type { EncodedText, EncodeOptions, Encoder, EncoderModel, TextKind } from '../../../ports/encoder.ts';

/** Vectors of what requests say. Each is null where it cannot be had in time: then the answer goes by words. */
export interface WordsEncoder {
  /** @param model whose vectors it is to be compared with */
  encodeWords(text: string, kind: TextKind, model: EncoderModel): Promise<Float32Array | null>;
  /** One for each sentence. */
  encodeSentences(
    sentences: readonly string[],
    model: EncoderModel,
  ): Promise<readonly (SentenceMeaning | null)[]>;
}

export interface WordsEncoderDeps {
  readonly encoder: Encoder;
  /** How long a few words may take; 60 ms by default, and eight sentences twice as long. */
  readonly wordsMs?: number;
  /** How long all sentences of a text may take; 1,500 ms by default. */
  readonly textMs?: number;
}

const WORDS_MS = 60;
const TEXT_MS = 1_500;
/** Encoded together; between them others may have their turn. */
const SENTENCES = 8;
/** Longer words are cut: no model reads more. */
const MAX_CHARS = 2_000;
/** Of the vectors that are kept; a text of 25 tokens has 40 kB with them, and 1.5 kB without. */
const MAX_WORDS_BYTES = 4 * 1024 * 1024;
const MAX_SENTENCES_BYTES = 12 * 1024 * 1024;

export function createWordsEncoder({
  encoder,
  wordsMs = WORDS_MS,
  textMs = TEXT_MS,
}: WordsEncoderDeps): WordsEncoder {
  const words = new LRUCache<string, Float32Array>({
    maxSize: MAX_WORDS_BYTES,
    sizeCalculation: ({ byteLength }, key) => byteLength + 2 * key.length,
  });
  const sentences = new LRUCache<string, SentenceMeaning>({
    maxSize: MAX_SENTENCES_BYTES,
    sizeCalculation: ({ tokens, spans }, key) =>
      tokens.byteLength + spans.byteLength + 2 * key.length + 4_096,
  });

  /** Null where it fails, for whatever reason: the encoder says which, to those who run the host. */
  async function encode(texts: readonly string[], model: EncoderModel, options: EncodeOptions) {
    if (!isSame(encoder.model, model)) return null;
    const encoded = await encoder.encode(texts, options).catch(() => null);
    const isUsable = encoded?.every((each) => fits(each, model)) === true && isSame(encoder.model, model);
    return isUsable ? encoded : null;
  }

  return {
    async encodeWords(given, kind, model) {
      const text = given.trim().slice(0, MAX_CHARS);
      if (text === '') return null;
      const key = `${model.fingerprint} ${kind} ${text}`;
      const known = words.get(key);
      if (known !== undefined) return known;
      const encoded = await encode([text], model, { kind, signal: AbortSignal.timeout(wordsMs) });
      const vector = encoded?.[0]?.vector ?? null;
      if (vector !== null) words.set(key, vector);
      return vector;
    },

    async encodeSentences(given, model) {
      const keyOf = (text: string) => `${model.fingerprint} ${text}`;
      const unknown = [...new Set(given)].filter((text) => text.trim() !== '' && !sentences.has(keyOf(text)));
      const found = new Map<string, SentenceMeaning>();
      const end = performance.now() + textMs;
      for (let at = 0; at < unknown.length && performance.now() < end; at += SENTENCES) {
        const texts = unknown.slice(at, at + SENTENCES);
        const signal = AbortSignal.timeout(2 * wordsMs);
        const encoded = await encode(texts, model, { kind: 'query', tokens: true, signal });
        // Whoever is late with these is so with those after them.
        if (encoded === null) break;
        for (const [i, text] of texts.entries()) {
          const meaning = toMeaning(encoded[i]);
          if (meaning === null) continue;
          found.set(text, meaning);
          sentences.set(keyOf(text), meaning);
        }
      }
      return given.map((text) => found.get(text) ?? sentences.get(keyOf(text)) ?? null);
    },
  };
}

const isSame = (one: EncoderModel | null, other: EncoderModel) => one?.fingerprint === other.fingerprint;

function fits({ vector, tokens }: EncodedText, { dimensions }: EncoderModel): boolean {
  const isWhole = tokens === undefined || tokens.vectors.length === (tokens.spans.length / 2) * dimensions;
  return vector.length === dimensions && isWhole;
}

/** An encoder without vectors of tokens knows the sentence as a whole. */
function toMeaning(encoded: EncodedText | undefined): SentenceMeaning | null {
  if (encoded === undefined) return null;
  const { vector, tokens } = encoded;
  return { vector, tokens: tokens?.vectors ?? new Float32Array(), spans: tokens?.spans ?? new Uint32Array() };
}
