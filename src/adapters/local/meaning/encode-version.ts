import type { EncodingProgress } from '../../../domain/encoding.ts';
import type { Encoder } from '../../../ports/encoder.ts';
import { encodeTexts, findRows } from './encode-texts.ts';
import { type ModelStores, type StoreName, storeNames } from './model-stores.ts';
import { keyOfText } from './vector-store.ts';
import { listVersionTexts, type VersionContent } from './version-texts.ts';
import type { VersionVectors } from './version-vectors.ts';

export interface Effort {
  readonly texts: number;
  readonly ms: number;
}

export interface VersionWorkDeps {
  readonly content: VersionContent;
  /** Texts of objects beside it, whose vectors are not to be dropped. */
  readonly others: Iterable<string>;
  readonly stores: ModelStores;
  readonly encoder: Encoder;
  /** Told what is known, at the beginning and as it becomes more. */
  show(vectors: VersionVectors): void;
}

/** Giving vectors to what a version of the catalogue has. */
export interface VersionWork {
  readonly content: VersionContent;
  readonly progress: Readonly<Record<StoreName, EncodingProgress>>;
  /** By kind, as an object takes as long as many labels: texts that were encoded, and the milliseconds that took. */
  readonly effort: Readonly<Record<StoreName, Effort>>;
  /** What was encoded last; null while that is nothing. */
  readonly latest: StoreName | null;
  /** Shows what is known by now. */
  show(): void;
  /** What was done stays, and it can be called again; once all is done, that costs nothing.
   *  @returns how many texts were encoded
   *  Errors: those of the encoder and of writing; the signal's reason. */
  encode(signal: AbortSignal): Promise<number>;
}

/** So often do searches get to know what was encoded: each time it is copied, and kept for searches under way. */
const SHOW_EVERY_MS = 20_000;

/** Finds which texts of a version have vectors, drops those of texts that are gone, and shows what there is.
 *  Errors: those of writing; the signal's reason. */
export async function beginVersionWork(deps: VersionWorkDeps, signal: AbortSignal): Promise<VersionWork> {
  const { content, others, stores, encoder, show } = deps;
  const texts = listVersionTexts(content, stores.model);
  const keys = { labels: new Set<number>(), objects: new Set(Array.from(others, keyOfText)) };
  const totals = { labels: 0, objects: 0 };
  async function find(): Promise<void> {
    for (const { set, kind } of texts.sets)
      totals[kind] += await findRows(set, stores[kind], { keys: keys[kind], signal });
  }
  await find();
  const progressOf = (kind: StoreName) => ({ done: texts.countDone(kind), total: totals[kind] });
  const isComplete = () => storeNames.map(progressOf).every(({ done, total }) => done === total);
  const showAll = () => show(texts.show(stores, isComplete()));
  // First of all: where there is no room to write, what there is can still be searched by.
  showAll();
  const isDropped = [await stores.drop('labels', keys.labels), await stores.drop('objects', keys.objects)];
  if (isDropped.includes(true)) {
    [totals.labels, totals.objects] = [0, 0];
    await find();
    showAll();
  }
  const effort = { labels: { texts: 0, ms: 0 }, objects: { texts: 0, ms: 0 } };
  let latest: StoreName | null = null;
  // Looking again at what all has vectors would read every label and object.
  let isDone = false;
  const countEncoded = () => effort.labels.texts + effort.objects.texts;
  return {
    content,
    get progress() {
      return { labels: progressOf('labels'), objects: progressOf('objects') };
    },
    effort,
    show: showAll,
    get latest() {
      return latest;
    },
    async encode(signal) {
      if (isDone) return 0;
      const before = countEncoded();
      let last = performance.now();
      let shown = last;
      for (const { set, kind } of texts.sets)
        await encodeTexts(set, {
          ...{ store: stores[kind], encoder, signal },
          onEncoded(count) {
            const now = performance.now();
            effort[kind].texts += count;
            effort[kind].ms += now - last;
            [last, latest] = [now, kind];
            if (now - shown < SHOW_EVERY_MS) return;
            shown = now;
            showAll();
          },
        });
      isDone = true;
      const encoded = countEncoded() - before;
      if (encoded > 0) showAll();
      return encoded;
    },
  };
}
