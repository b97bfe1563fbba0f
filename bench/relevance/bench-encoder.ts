import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest, toEncoderModel } from '../../src/adapters/onnx/manifest.ts';
import { type EncodeItem, type ModelSession, openModelSession } from '../../src/adapters/onnx/session.ts';
import type { TermIndex } from '../../src/engine/terms/types.ts';
import type { EncodedText, Encoder, TextKind } from '../../src/ports/encoder.ts';
import { encodeTerms, type TermsEncoder } from '../../test/engine/terms/encode-terms.ts';
import { required } from '../required.ts';

const CACHE = 'node_modules/.cache/skilldock-bench';
const KEY_BYTES = 32;
const BATCH = 32;

/** What the model of a folder makes of an index and of what it is asked. */
export async function encodeBenchTerms(
  index: TermIndex,
  folder: string,
): Promise<TermsEncoder & { readonly name: string }> {
  const encoder = openBenchEncoder(folder);
  const model = required(encoder.model, 'model');
  const terms = await encodeTerms(index, encoder, model.langs ?? undefined);
  return { ...terms, name: model.name };
}

/** The model of a folder. What it said of a text is kept on the disk, so that only the first run takes minutes; nobody who waits for
 *  it is told that it is late. Vectors of tokens are made each time.
 *  Errors: those of reading its manifest; those of `openModelSession`, where it is asked. */
export function openBenchEncoder(folder: string): Encoder {
  const model = toEncoderModel(readManifest(folder));
  const kept = openKeptVectors(join(CACHE, `${model.fingerprint.slice(0, 16)}.vectors`), model.dimensions);
  let session: Promise<ModelSession> | undefined;

  /** Keeps them batch by batch; the model is loaded only where something is new. */
  async function encodeNew(items: readonly EncodeItem[]): Promise<ReadonlyMap<string, EncodedText>> {
    const made = new Map<string, EncodedText>();
    for (let at = 0; at < items.length; at += BATCH) {
      if (at > 0 && at % (100 * BATCH) === 0) console.error(`encoding: ${at} of ${items.length}`);
      session ??= openModelSession(folder, 1);
      const batch = items.slice(at, at + BATCH);
      const encoded = await (await session).encode(batch);
      for (const [i, { text, kind }] of batch.entries()) {
        const own = required(encoded[i], text);
        made.set(text, own);
        kept.add(text, kind, own.vector);
      }
    }
    return made;
  }

  return {
    model,
    async encode(texts, { kind, tokens: withTokens = false }) {
      const fresh = [...new Set(texts.filter((text) => withTokens || !kept.has(text, kind)))];
      // Of a batch the longest makes the others as long.
      fresh.sort((a, b) => a.length - b.length);
      const made = await encodeNew(fresh.map((text) => ({ text, kind, withTokens })));
      return texts.map((text): EncodedText => made.get(text) ?? { vector: kept.get(text, kind) });
    },
    close: async () => undefined,
  };
}

/** Vectors in a file: of each its key and its numbers. */
function openKeptVectors(path: string, dimensions: number) {
  const keyOf = (text: string, kind: TextKind) => createHash('sha256').update(`${kind} ${text}`).digest();
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const size = KEY_BYTES + 4 * dimensions;
  const known = new Map<string, Float32Array>();
  for (let at = 0; at + size <= bytes.length; at += size) {
    const numbers = bytes.buffer.slice(bytes.byteOffset + at + KEY_BYTES, bytes.byteOffset + at + size);
    known.set(bytes.toString('hex', at, at + KEY_BYTES), new Float32Array(numbers as ArrayBuffer));
  }
  mkdirSync(CACHE, { recursive: true });
  return {
    has: (text: string, kind: TextKind) => known.has(keyOf(text, kind).toString('hex')),
    get: (text: string, kind: TextKind) => required(known.get(keyOf(text, kind).toString('hex')), text),
    add(text: string, kind: TextKind, vector: Float32Array) {
      const key = keyOf(text, kind);
      if (known.has(key.toString('hex'))) return;
      known.set(key.toString('hex'), vector);
      appendFileSync(
        path,
        Buffer.concat([key, Buffer.from(vector.buffer, vector.byteOffset, 4 * dimensions)]),
      );
    },
  };
}
