import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import type { TextKind, TokenVectors } from '../../ports/encoder.ts';
import { type ModelManifest, readManifest, verifyModelFiles } from './manifest.ts';
import { type InferenceSession, loadRuntime, type Runtime, type Tensor } from './runtime.ts';
import { createTokenize, type TokenizedText } from './tokenize.ts';

/** One text of a batch. */
export interface EncodeItem {
  readonly text: string;
  readonly kind: TextKind;
  readonly withTokens: boolean;
}

export interface EncodedItem {
  readonly vector: Float32Array;
  readonly tokens?: TokenVectors;
}

/** A model that is loaded. */
export interface ModelSession {
  /** Errors: those of the runtime. */
  encode(items: readonly EncodeItem[]): Promise<readonly EncodedItem[]>;
}

/** Verifies and loads a model. What it reads is never trusted: a file of a model is a program of sorts.
 *  Errors: MODEL_INVALID, MODEL_UNAVAILABLE where there is no runtime; those of reading.
 *  @param threads that work on one text together; 1 by default */
export async function openModelSession(folder: string, threads = 1): Promise<ModelSession> {
  const manifest = readManifest(folder);
  const runtime = loadRuntime();
  await verifyModelFiles(folder, manifest);
  try {
    const session = await load(folder, { manifest, runtime, threads });
    // Also tells of dimensions that differ, before anybody relies on them.
    await session.encode([{ text: 'a', kind: 'query', withTokens: false }]);
    return session;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      'MODEL_INVALID',
      `The model ${manifest.name} in ${folder} cannot be run. Install another one: skilldock model install.`,
      { cause },
    );
  }
}

interface Loading {
  readonly manifest: ModelManifest;
  readonly runtime: Runtime;
  readonly threads: number;
}

async function load(folder: string, { manifest, runtime, threads }: Loading): Promise<ModelSession> {
  const { onnx, tokenizers } = runtime;
  const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as object;
  // Cutting and filling up are done here.
  const tokenizer = new tokenizers.Tokenizer(
    { ...readJson('tokenizer.json'), truncation: null, padding: null },
    readJson('tokenizer_config.json'),
  );
  const tokenize = createTokenize(tokenizer, manifest.maxTokens);
  const session = await onnx.InferenceSession.create(join(folder, 'model.onnx'), {
    ...{ intraOpNumThreads: threads, interOpNumThreads: 1, executionMode: 'sequential' },
    // Only what cannot be done is worth a line: others would be written over the host's own output.
    logSeverityLevel: 3,
  });
  return {
    async encode(items) {
      const texts = items.map(({ text, kind }) => tokenize(text, manifest.prefixes[kind]));
      const length = Math.max(...texts.map(({ ids }) => ids.length));
      const output = findTokenOutput(await session.run(makeFeeds({ session, onnx, texts, length })));
      const dimensions = output.dims.at(-1);
      if (dimensions !== manifest.dimensions) throw createDimensionsError(manifest, dimensions);
      return texts.map((text, index) => {
        const rows = output.data.subarray(
          index * length * dimensions,
          (index * length + text.ids.length) * dimensions,
        );
        const vector = pool(rows, manifest);
        return items[index]?.withTokens === true
          ? { vector, tokens: toTokens(text, rows, dimensions) }
          : { vector };
      });
    },
  };
}

interface Feeding extends Pick<Runtime, 'onnx'> {
  readonly session: InferenceSession;
  readonly texts: readonly TokenizedText[];
  /** To which all are filled up. */
  readonly length: number;
}

function makeFeeds({ session, onnx, texts, length }: Feeding): Record<string, object> {
  const ids = new BigInt64Array(texts.length * length);
  const mask = new BigInt64Array(ids.length);
  texts.forEach((text, row) => {
    text.ids.forEach((id, column) => {
      ids[row * length + column] = BigInt(id);
      mask[row * length + column] = 1n;
    });
  });
  const inputs: Readonly<Record<string, BigInt64Array>> = { input_ids: ids, attention_mask: mask };
  const noTypes = new BigInt64Array(ids.length);
  return Object.fromEntries(
    session.inputNames.map((name) => [
      name,
      new onnx.Tensor('int64', inputs[name] ?? noTypes, [texts.length, length]),
    ]),
  );
}

/** That of a vector for each token; some models have others as well. */
function findTokenOutput(outputs: Readonly<Record<string, Tensor>>): Tensor {
  const found = outputs.last_hidden_state ?? Object.values(outputs).find(({ dims }) => dims.length === 3);
  if (found !== undefined && found.dims.length === 3) return found;
  throw new Error('the model gives no vectors of tokens');
}

function createDimensionsError({ name, dimensions }: ModelManifest, found: number | undefined): AppError {
  return new AppError(
    'MODEL_INVALID',
    `The model ${name} gives vectors of ${found} numbers, and its manifest says ${dimensions}. Install it again: skilldock model install.`,
  );
}

/** Of length 1. */
function pool(rows: Float32Array, { pooling, dimensions }: ModelManifest): Float32Array {
  const vector = rows.slice(0, dimensions);
  if (pooling === 'mean')
    for (let at = dimensions; at < rows.length; at += 1)
      vector[at % dimensions] = (vector[at % dimensions] ?? 0) + (rows[at] ?? 0);
  let square = 0;
  for (const number of vector) square += number * number;
  if (!(square > 0 && square < Number.POSITIVE_INFINITY))
    throw new Error('the model gives vectors without a length');
  const factor = 1 / Math.sqrt(square);
  return vector.map((number) => number * factor);
}

function toTokens({ spans, first }: TokenizedText, rows: Float32Array, dimensions: number): TokenVectors {
  const begin = first * dimensions;
  return {
    vectors: rows.slice(begin, begin + (spans.length / 2) * dimensions),
    spans: Uint32Array.from(spans),
  };
}
