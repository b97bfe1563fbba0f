import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportedCatalog } from '#ports/imports';
import type { SharedFiles } from '#ports/shared-files';
import { findVersionChanges } from '../overlay/import-changes.ts';
import type { Starter } from '../starter.ts';
import type { RunIndexJob } from './index-jobs.ts';
import {
  isAway,
  type LoadVersionDeps,
  loadLayableVersion,
  loadMadeVersion,
  type MadeVersion,
  makeVersionForAll,
} from './make-version.ts';
import type { ObjectsStore } from './objects-store.ts';
import type { OpenVersion } from './open-version.ts';
import { nameVersionFolder, type VersionKey } from './version-files.ts';
import type { VersionFolders } from './version-folders.ts';

/** Looks for what was imported, and has it searched. */
export interface CatalogUpdates {
  /** Makes what is imported now searchable, if that takes half a minute at most, also where another host is working on it.
   *  Otherwise, or where it fails or the signal is aborted, the work goes on in the background. Never rejects. */
  catchUp(signal?: AbortSignal): Promise<void>;
  /** Whether everything that was imported has been searchable at some time. */
  readonly hasCaughtUp: boolean;
  /** Looks every second from now on, less often while that fails. */
  start(): void;
  /** Gives up what is under way. */
  close(): Promise<void>;
}

export interface FollowImportsDeps {
  readonly catalogDir: string;
  /** Fingerprint of the starter data and of the code that indexes. */
  readonly base: string;
  readonly folders: VersionFolders;
  readonly imported: ImportedCatalog;
  readonly shared?: SharedFiles;
  current(): OpenVersion;
  /** Errors: where it cannot be opened; then it is built again. */
  switchTo(version: MadeVersion): void;
  /** The current version, with other things laid over it. */
  replace(version: OpenVersion): void;
  /** Objects that are laid over a version; of more, the next one is built. */
  readonly mostLaidOver: number;
  readonly starter: Starter;
  onProblem(error: unknown): void;
  readonly pollMs?: number;
  /** Where the work is done; in a thread of its own if possible. */
  readonly run?: RunIndexJob;
  /** Another engine that keeps the objects. */
  readonly elsewhere?: ObjectsStore | undefined;
}

const POLL_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const CATCH_UP_MS = 30_000;

export function followImports(deps: FollowImportsDeps): CatalogUpdates {
  const { pollMs = POLL_MS, onProblem } = deps;
  const stop = new AbortController();
  const ahead = createBuildAhead({ ...deps, signal: stop.signal });
  let failures = 0;
  let hasCaughtUp = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<Outcome> | undefined;

  /** One look at a time, however many ask for it. */
  function look(): Promise<Outcome> {
    running ??= update({ ...deps, signal: stop.signal, isAwayFine: true }, ahead)
      .then(
        (outcome) => {
          failures = 0;
          hasCaughtUp ||= outcome === 'current';
          return outcome;
        },
        (error: unknown): Outcome => {
          failures++;
          if (!stop.signal.aborted) onProblem(error);
          return 'failed';
        },
      )
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  /** While a host starts nobody waits; where nothing was ever imported, it may never be needed. */
  function prepare(): void {
    const { current, mostLaidOver, starter } = deps;
    if (mostLaidOver === 0 || stop.signal.aborted || current().imported === '') return;
    try {
      starter.prepare();
    } catch (error) {
      onProblem(error);
    }
  }

  function plan(): void {
    if (stop.signal.aborted) return;
    const pause = Math.min(pollMs * 2 ** Math.min(failures, 10), Math.max(pollMs, MAX_PAUSE_MS));
    timer = setTimeout(() => void look().then(plan), pause).unref();
  }

  return {
    async catchUp(given = stop.signal) {
      const patience = new AbortController();
      const patienceTimer = setTimeout(() => patience.abort(), CATCH_UP_MS);
      const signal = AbortSignal.any([stop.signal, given, patience.signal]);
      const enough = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      while (!signal.aborted && (await Promise.race([look(), enough])) === 'later') {
        await sleep(pollMs, undefined, { signal }).catch(() => undefined);
      }
      clearTimeout(patienceTimer);
      prepare();
    },
    get hasCaughtUp() {
      return hasCaughtUp;
    },
    start: plan,
    async close() {
      stop.abort();
      clearTimeout(timer);
      await running;
      await ahead.isDone;
    },
  };
}

/** `later`: another host is writing it, or something else was imported meanwhile. */
type Outcome = 'current' | 'later' | 'failed';

interface UpdateOptions extends FollowImportsDeps, Pick<LoadVersionDeps, 'isAwayFine'> {
  readonly signal: AbortSignal;
}

async function update(options: UpdateOptions, ahead: BuildAhead): Promise<Outcome> {
  const { base, folders, current, mostLaidOver } = options;
  await useMade(ahead.take(), options);
  const key = { base, imported: await options.imported.version() };
  const { imported, isDamaged, folder, built } = current();
  const own = nameVersionFolder({ base, imported: built.imported });
  const kept = await isKept(own, options);
  const isSound = !isDamaged && kept === true;
  if (isSound && key.imported === imported) return 'current';
  if (isAway(kept) && !isDamaged && key.imported === imported) throw kept;
  const laid = isSound ? await layOver(options) : null;
  if (laid !== null) {
    if ((current().changes?.objects.size ?? 0) > mostLaidOver / 2) ahead.begin(key);
    return laid;
  }
  if (ahead.isDone !== undefined) {
    await ahead.isDone;
    return 'later';
  }
  const isSpoilt = isDamaged && folders.pathOf(key) === folder;
  const ready = isSpoilt ? null : await loadMadeVersion(key, options);
  if (await useMade(ready, options)) return 'current';
  if (!isDamaged && (await useLayable(options))) return 'later';
  // Nothing can be brought there now.
  if (isAway(kept)) throw kept;
  const made = await makeVersionForAll(key, {
    ...options,
    isSpoilt: isSpoilt || ready !== null,
    // It is searched before it is given to others, which may take a while.
    onMade: (version) => use(version, options),
  });
  if (made === null) return 'later';
  await folders.prune(made.folder);
  return 'current';
}

/** Whether the engine that keeps the objects, where that is another one, has all of the version that is searched; why not to be told
 *  where it is away. */
async function isKept(version: string, { elsewhere, current }: UpdateOptions): Promise<unknown> {
  try {
    return (await elsewhere?.hasVersion(version, current().built.objects)) ?? true;
  } catch (error) {
    if (isAway(error)) return error;
    throw error;
  }
}

/** Small changes are laid over the version that is searched. Null where they are too large for that, or cannot be told: a version is
 *  built then. */
async function layOver(options: UpdateOptions): Promise<Outcome | null> {
  const { imported, current, replace, starter, signal, mostLaidOver: most } = options;
  if (most === 0) return null;
  const version = current();
  const { built, changes: before } = version;
  const changes = await findVersionChanges({ imported, starter, most, built, before });
  if (changes === 'later') return 'later';
  // What could not be read was taken for what is not there.
  if (changes === null || version.isDamaged) return null;
  const laid = await version.layOver(changes);
  if (signal.aborted) laid.close();
  signal.throwIfAborted();
  replace(laid);
  return 'current';
}

/** Takes another version that is there, where the changes since then are small.
 *  @returns whether there was one */
async function useLayable(options: UpdateOptions): Promise<boolean> {
  const { base, current, mostLaidOver: most } = options;
  if (most === 0) return false;
  const except = new Set([current().folder]);
  return useMade(await loadLayableVersion(base, { ...options, most, except }), options);
}

interface BuildAhead {
  /** Builds a version in the background, unless it was tried before. */
  begin(key: VersionKey): void;
  /** What was built. */
  take(): MadeVersion | null;
  /** Present while one is built; never rejects. */
  readonly isDone: Promise<void> | undefined;
}

/** Builds the next version while what changed is still laid over the one that is searched. */
function createBuildAhead(options: UpdateOptions): BuildAhead {
  let isDone: Promise<void> | undefined;
  let made: MadeVersion | null = null;
  let tried = '';

  async function build(key: VersionKey): Promise<void> {
    try {
      made = (await loadMadeVersion(key, options)) ?? (await makeVersionForAll(key, options));
    } catch (error) {
      if (!options.signal.aborted) options.onProblem(error);
    }
    isDone = undefined;
  }

  return {
    begin(key) {
      if (isDone !== undefined || made !== null || tried === key.imported) return;
      tried = key.imported;
      isDone = build(key);
    },
    take() {
      const taken = made;
      made = null;
      return taken;
    },
    get isDone() {
      return isDone;
    },
  };
}

/** @returns false where there is none, or it cannot be opened */
async function useMade(made: MadeVersion | null, options: UpdateOptions): Promise<boolean> {
  if (made === null) return false;
  try {
    use(made, options);
  } catch (error) {
    options.signal.throwIfAborted();
    options.onProblem(error);
    return false;
  }
  await options.folders.prune(made.folder);
  return true;
}

function use(version: MadeVersion, { signal, switchTo }: UpdateOptions): void {
  signal.throwIfAborted();
  switchTo(version);
}
