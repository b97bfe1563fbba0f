import type { Encoder } from '../../../ports/encoder.ts';
import type { EncodingProgress } from '../../../ports/meaning.ts';
import { encodeTexts, findRows } from './encode-texts.ts';
import type { ModelStores, StoreName } from './model-stores.ts';
import { listVersionTexts, type VersionContent } from './version-texts.ts';
import type { VersionVectors } from './version-vectors.ts';

export interface VersionWorkDeps {
  readonly content: VersionContent;
  readonly stores: ModelStores;
  readonly encoder: Encoder;
  /** Told what is known, at the beginning and as it becomes more. */
  show(vectors: VersionVectors): void;
}

/** Giving vectors to what a version of the catalogue has. */
export interface VersionWork {
  readonly content: VersionContent;
  readonly progress: Readonly<Record<StoreName, EncodingProgress>>;
  /** Texts that were encoded, and the milliseconds that took. */
  readonly effort: { readonly texts: number; readonly ms: number };
  /** Errors: those of the encoder and of writing; the signal's reason. What was done stays, and it can be called again. */
  encode(signal: AbortSignal): Promise<void>;
}

/** Searches get to know what was encoded after so many batches: some seconds. */
const SHOW_AFTER = 64;

/** Finds which texts of a version have vectors, drops those of texts that are gone, and shows what there is.
 *  Errors: those of writing; the signal's reason. */
export async function beginVersionWork(deps: VersionWorkDeps, signal: AbortSignal): Promise<VersionWork> {
  const { content, stores, encoder, show } = deps;
  const texts = listVersionTexts(content, stores.model);
  const keys = { labels: new Set<number>(), objects: new Set<number>() };
  const totals = { labels: 0, objects: 0 };
  async function find(): Promise<void> {
    for (const { set, kind } of texts.sets)
      totals[kind] += await findRows(set, stores[kind], { keys: keys[kind], signal });
  }
  await find();
  const isDropped = [await stores.drop('labels', keys.labels), await stores.drop('objects', keys.objects)];
  if (isDropped.includes(true)) {
    [totals.labels, totals.objects] = [0, 0];
    await find();
  }
  show(texts.show(stores));

  const effort = { texts: 0, ms: 0 };
  const progressOf = (kind: StoreName) => ({ done: texts.countDone(kind), total: totals[kind] });
  return {
    content,
    get progress() {
      return { labels: progressOf('labels'), objects: progressOf('objects') };
    },
    get effort() {
      return { ...effort };
    },
    async encode(signal) {
      const begun = effort.texts;
      let batches = 0;
      let last = performance.now();
      for (const { set, kind } of texts.sets)
        await encodeTexts(set, {
          ...{ store: stores[kind], encoder, signal },
          onEncoded(count) {
            const now = performance.now();
            [effort.texts, effort.ms, last] = [effort.texts + count, effort.ms + now - last, now];
            if (++batches % SHOW_AFTER === 0) show(texts.show(stores));
          },
        });
      if (effort.texts > begun) show(texts.show(stores));
    },
  };
}
