import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { keyOfText, openVectorStore } from '../../src/adapters/local/meaning/vector-store.ts';
import { readManifest, toEncoderModel } from '../../src/adapters/onnx/manifest.ts';
import { openModelSession } from '../../src/adapters/onnx/session.ts';
import type { TermIndex, TermMeaning, TextMeaning } from '../../src/engine/terms/types.ts';
import type { LabelVectors } from '../../src/engine/vectors/vectors.ts';

/** A local model, to measure answers with. */
export interface BenchModel {
  readonly name: string;
  /** Vectors of the labels in the model's languages. They are kept on disk: a second run has them at once. */
  encodeLabels(index: TermIndex): Promise<LabelVectors>;
  ofText(index: TermIndex, labels: LabelVectors, text: string): Promise<TextMeaning>;
  ofTerm(labels: LabelVectors, keywords: string): Promise<TermMeaning>;
  close(): Promise<void>;
}

const CACHE = 'node_modules/.cache/skilldock-bench';
const BATCH = 32;
const NONE = 0xffffffff;

/** Errors: those of `openModelSession`, and of reading and writing.
 *  @param folder of the model, as `skilldock model install` makes it */
export async function openBenchModel(folder: string): Promise<BenchModel> {
  const model = toEncoderModel(readManifest(folder));
  const session = await openModelSession(folder, 1);
  mkdirSync(CACHE, { recursive: true });
  const store = await openVectorStore({ path: join(CACHE, `${model.fingerprint}.vectors`), model });
  const isRead = (lang: string) => model.langs?.includes(lang) ?? true;

  async function encodeAll(texts: readonly string[]): Promise<void> {
    const missing = [...new Set(texts)]
      .filter((text) => store.find(keyOfText(text)) < 0)
      .sort((a, b) => a.length - b.length);
    for (let at = 0; at < missing.length; at += BATCH) {
      if (at % (100 * BATCH) === 0) console.error(`encoding labels: ${at} of ${missing.length}`);
      const batch = missing.slice(at, at + BATCH);
      const encoded = await session.encode(
        batch.map((text) => ({ text, kind: 'passage', withTokens: false })),
      );
      await store.add(
        batch.map(keyOfText),
        encoded.map(({ vector }) => vector),
      );
    }
  }

  return {
    name: model.name,
    async encodeLabels(index) {
      const all = [...index.labelsOf()];
      const read = all.filter(({ lang }) => isRead(lang));
      await encodeAll(read.map(({ text }) => text));
      const rowOf = new Uint32Array((all.at(-1)?.label ?? -1) + 1).fill(NONE);
      for (const { label, text } of read) rowOf[label] = store.find(keyOfText(text));
      return { rows: store.rows, rowOf };
    },
    async ofText(index, labels, text) {
      const items = index
        .sentencesOf(text)
        .map((sentence) => ({ text: sentence.text, kind: 'query' as const, withTokens: true }));
      const encoded = await Promise.all(items.map((item) => session.encode([item])));
      const sentences = encoded.flat().map(({ vector, tokens }) => ({
        vector,
        tokens: tokens?.vectors ?? new Float32Array(),
        spans: tokens?.spans ?? new Uint32Array(),
      }));
      return { labels, sentences };
    },
    async ofTerm(labels, text) {
      const [encoded] = await session.encode([{ text, kind: 'query', withTokens: false }]);
      return { labels, vector: encoded?.vector ?? new Float32Array(model.dimensions) };
    },
    close: () => store.close(),
  };
}
