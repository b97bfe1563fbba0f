import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { EncodingState } from '../../../domain/encoding.ts';
import { AppError, isDiskFull } from '../../../errors.ts';
import { keepVectors } from './encode-texts.ts';
import { beginVersionWork, type VersionWork } from './encode-version.ts';
import { createWordsEncoder, type WordsEncoder, type WordsEncoderDeps } from './encode-words.ts';
import {
  type LockFile,
  type ModelStores,
  openModelStores,
  type StoreName,
  storeNames,
  VECTORS_FOLDER,
} from './model-stores.ts';
import type { VersionContent } from './version-texts.ts';
import type { VersionVectors } from './version-vectors.ts';

/** Vectors of what is searched and of what is asked. */
export interface Meaning {
  readonly words: WordsEncoder;
  readonly state: EncodingState;
  /** What is known of a version by now; null while that is nothing. */
  vectorsOf(version: VersionContent): VersionVectors | null;
  /** The version to be encoded from now on. */
  follow(version: VersionContent): void;
  /** Texts of changed objects, encoded once the version is. */
  want(texts: readonly string[]): void;
  start(): void;
  /** What is kept stays. */
  close(): Promise<void>;
}

export interface MeaningDeps extends WordsEncoderDeps {
  readonly dataDir: string;
  readonly lockFile: LockFile;
  /** Told when files cannot be read or written, once until they can be. */
  onProblem(error: unknown): void;
  /** Told when a version is encoded, if there was anything to encode. */
  onDone?(state: EncodingState): void;
  /** Between two looks at what there is to do; 1,000 by default. */
  readonly pollMs?: number;
}

const POLL_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Those asked for last. */
const MAX_WANTED = 10_000;
const WANTED_BATCH = 16;

/** Encodes in the background what the catalogue has, as soon as there is a model: `vectors/` of the data folder keeps each vector once
 *  it is made, so that nothing is encoded twice, whatever ends the host. A model that comes, goes or is exchanged is followed. */
export function createMeaning(deps: MeaningDeps): Meaning {
  const { encoder, dataDir, lockFile, onProblem, onDone, pollMs = POLL_MS } = deps;
  const stop = new AbortController();
  const shown = new WeakMap<VersionContent, VersionVectors>();
  /** Texts of changed objects, and whether they have been looked at with these stores. */
  const wanted = new LRUCache<string, boolean>({ max: MAX_WANTED });
  let content: VersionContent | null = null;
  let changed = new AbortController();
  let stores: ModelStores | null = null;
  let work: VersionWork | null = null;
  let problem: EncodingState['problem'] = null;
  let failures = 0;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      const signal = AbortSignal.any([stop.signal, changed.signal]);
      try {
        await encodeAll(signal);
        [failures, problem] = [0, null];
      } catch (error) {
        if (!signal.aborted) await fail(error);
      }
      const pauseMs = Math.min(pollMs * 2 ** Math.min(failures, 10), Math.max(pollMs, MAX_PAUSE_MS));
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await close();
  }

  async function encodeAll(signal: AbortSignal): Promise<void> {
    const { model } = encoder;
    if (model === null || content === null) return;
    if (stores?.model.fingerprint !== model.fingerprint) {
      await close();
      stores = await openModelStores({ folder: join(dataDir, VECTORS_FOLDER), model, lockFile });
      for (const text of [...wanted.keys()]) wanted.set(text, false);
    }
    if (work?.content !== content) work = await beginWork(content, stores, signal);
    if ((await work.encode(signal)) > 0) onDone?.(describe());
    if ((await encodeWanted(stores, signal)) > 0) work.show();
  }

  function beginWork(version: VersionContent, of: ModelStores, signal: AbortSignal): Promise<VersionWork> {
    const show = (vectors: VersionVectors) => void shown.set(version, vectors);
    return beginVersionWork({ content: version, others: wanted.keys(), stores: of, encoder, show }, signal);
  }

  async function encodeWanted({ objects: store }: ModelStores, signal: AbortSignal): Promise<number> {
    let encoded = 0;
    const waiting = [...wanted.keys()].filter((text) => wanted.peek(text) === false);
    for (let at = 0; at < waiting.length; at += WANTED_BATCH) {
      const texts = waiting.slice(at, at + WANTED_BATCH);
      encoded += await keepVectors(texts, { store, encoder, signal });
      for (const text of texts) wanted.set(text, true);
    }
    return encoded;
  }

  /** Vectors are searched as far as they are; files are opened again. */
  async function fail(error: unknown): Promise<void> {
    const before = problem;
    const isOfModel = error instanceof AppError && error.code === 'MODEL_UNAVAILABLE';
    problem = isOfModel ? 'model' : isDiskFull(error) ? 'disk-full' : 'files';
    failures++;
    if (isOfModel) return;
    if (problem !== before) onProblem(error);
    await close();
  }

  async function close(): Promise<void> {
    const { close: closeStores } = stores ?? {};
    [stores, work] = [null, null];
    await closeStores?.().catch(onProblem);
  }

  function describe(): EncodingState {
    const { labels, objects } = work?.progress ?? nothing;
    const bytes = (stores?.labels.bytes ?? 0) + (stores?.objects.bytes ?? 0);
    return { labels, objects, bytes, problem, ...estimate(work) };
  }

  return {
    words: createWordsEncoder(deps),
    get state() {
      return describe();
    },
    vectorsOf: (version) => shown.get(version) ?? null,
    follow(version) {
      content = version;
      changed.abort();
      changed = new AbortController();
    },
    want(texts) {
      for (const text of texts) if (wanted.get(text) === undefined) wanted.set(text, false);
    },
    start() {
      running ??= run();
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}

/** Each kind by itself: an object takes as long as many labels. */
function estimate(work: VersionWork | null): Pick<EncodingState, 'perSecond' | 'secondsLeft'> {
  if (work === null) return { perSecond: null, secondsLeft: null };
  const { progress, effort, latest } = work;
  const perSecond = (kind: StoreName) => (1_000 * effort[kind].texts) / effort[kind].ms;
  const left = storeNames
    .filter((kind) => progress[kind].done < progress[kind].total)
    .map((kind) => (progress[kind].total - progress[kind].done) / perSecond(kind));
  const secondsLeft = left.reduce((sum, seconds) => sum + seconds, 0);
  return {
    perSecond: latest === null ? null : perSecond(latest),
    secondsLeft: left.length === 0 || Number.isNaN(secondsLeft) ? null : secondsLeft,
  };
}

const nothing = { labels: { done: 0, total: 0 }, objects: { done: 0, total: 0 } };

/** Of a host without an encoder. */
export const nothingEncoded: EncodingState = {
  ...nothing,
  ...{ bytes: 0, problem: null, perSecond: null, secondsLeft: null },
};
