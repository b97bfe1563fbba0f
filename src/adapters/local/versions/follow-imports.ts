import { setTimeout as sleep } from 'node:timers/promises';
import { waitUnlessAborted } from '#domain/async/deadline';
import { AppError, hasErrorCode } from '#errors';
import { findImportChanges } from '../overlay/import-changes.ts';
import type { StarterReader } from '../starter-catalog.ts';
import type { MadeVersion, MakeOptions } from './make-version.ts';
import { loadOverlayBase, loadVersion, makeSharedVersion } from './make-version.ts';
import type { OpenVersion } from './open-version.ts';
import { nameVersionFolder, type VersionKey } from './version-files.ts';

export type CatalogUpdates = ReturnType<typeof followImports>;

interface FollowImportsOptions
  extends Pick<MakeOptions, 'catalogDir' | 'folders' | 'imported' | 'run' | 'external' | 'shared'>,
    Pick<VersionKey, 'base'> {
  current(): OpenVersion;
  /** If it fails, the version is built again. */
  switchTo(version: MadeVersion): Promise<void>;
  /** Replaces the current version by the same one with another overlay. */
  replace(version: OpenVersion): void;
  /** The most changed objects of an overlay; with more a version is built. 0 for no overlays. */
  readonly overlayLimit: number;
  readonly starter: StarterReader;
  onProblem(error: unknown): void;
  readonly pollMs?: number;
}

/** `later`: another host is building the version, or something else was imported meanwhile. */
type Outcome = 'current' | 'later' | 'failed';

interface Follower {
  readonly options: FollowImportsOptions & Pick<MakeOptions, 'signal' | 'mayLackObjects'>;
  /** The number of failed checks since the last successful one. */
  failures: number;
  hasCaughtUp: boolean;
  timer?: NodeJS.Timeout;
  /** The check under way. */
  check: Promise<Outcome> | undefined;
  /** The build ahead under way, which never rejects. */
  buildAhead: Promise<void> | undefined;
  builtAhead: MadeVersion | null;
  /** `VersionKey.imported` of the last build ahead. */
  lastAhead: string;
}

/** Keeps the catalogue up to date: looks for imports, and overlays or builds what they change. */
export function followImports(options: FollowImportsOptions) {
  const stop = new AbortController();
  const follower: Follower = {
    options: { ...options, signal: stop.signal, mayLackObjects: true },
    failures: 0,
    hasCaughtUp: false,
    check: undefined,
    buildAhead: undefined,
    builtAhead: null,
    lastAhead: '',
  };
  return {
    /** Makes the present imports searchable, or waits for another host that is building them;
     *  continues in the background after 30 s, an abort or a failure. Never rejects. */
    catchUp: (signal: AbortSignal = stop.signal): Promise<void> => catchUpWithImports(follower, signal),
    /** Whether all imports have been searchable at some time. */
    get hasCaughtUp() {
      return follower.hasCaughtUp;
    },
    /** Begins to check for imports every second, less often while the checks fail. */
    start: (): void => scheduleCheck(follower),
    async close(): Promise<void> {
      stop.abort();
      clearTimeout(follower.timer);
      await follower.check;
      await follower.buildAhead;
    },
  };
}

const POLL_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const CATCH_UP_MS = 30_000;

function scheduleCheck(follower: Follower): void {
  const { signal, pollMs = POLL_MS } = follower.options;
  if (signal.aborted) return;
  const pause = Math.min(pollMs * 2 ** Math.min(follower.failures, 10), Math.max(pollMs, MAX_PAUSE_MS));
  follower.timer = setTimeout(() => void checkForImports(follower).then(() => scheduleCheck(follower)), pause).unref();
}

async function catchUpWithImports(follower: Follower, callerSignal: AbortSignal): Promise<void> {
  const { signal: stopSignal, pollMs = POLL_MS } = follower.options;
  const signal = AbortSignal.any([stopSignal, callerSignal, AbortSignal.timeout(CATCH_UP_MS)]);
  const checkUnlessAborted = () => waitUnlessAborted(checkForImports(follower), signal).catch(() => null);
  while ((await checkUnlessAborted()) === 'later') {
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
  prepareStarter(follower);
}

/** Reads the data for the first small import in advance: nobody waits while a host starts. */
function prepareStarter({ options }: Follower): void {
  const { current, overlayLimit, starter, signal, onProblem } = options;
  // A host that never had imports may never need these data.
  if (overlayLimit === 0 || signal.aborted || current().imported === '') return;
  try {
    starter.prepare();
  } catch (error) {
    onProblem(error);
  }
}

/** Simultaneous calls share a check. Never rejects. */
function checkForImports(follower: Follower): Promise<Outcome> {
  const { signal, onProblem } = follower.options;
  follower.check ??= updateToImports(follower)
    .then(
      (outcome) => {
        follower.failures = 0;
        follower.hasCaughtUp ||= outcome === 'current';
        return outcome;
      },
      (error: unknown): Outcome => {
        follower.failures++;
        if (!signal.aborted) onProblem(error);
        return 'failed';
      },
    )
    .finally(() => {
      follower.check = undefined;
    });
  return follower.check;
}

async function updateToImports(follower: Follower): Promise<Outcome> {
  const { options } = follower;
  const { base, folders, current, overlayLimit } = options;
  const { builtAhead } = follower;
  follower.builtAhead = null;
  await tryToSwitchVersion(builtAhead, options);
  const key = { base, imported: await options.imported.version() };
  const { imported, isDamaged, folder } = current();
  const isCurrent = key.imported === imported;
  const external = await checkExternalObjects(options);
  const isIntact = !isDamaged && external === 'complete';
  if (isIntact && isCurrent) return 'current';
  if (external instanceof AppError && !isDamaged && isCurrent) throw external;
  const overlayState = isIntact ? await overlayImports(options) : null;
  if (overlayState !== null) {
    if ((current().changes?.entries.size ?? 0) > overlayLimit / 2) buildImportsAhead(follower, key);
    return overlayState;
  }
  if (follower.buildAhead !== undefined) {
    await follower.buildAhead;
    return 'later';
  }
  const isKeyDamaged = isDamaged && folders.pathOf(key) === folder;
  const existing = isKeyDamaged ? null : await loadVersion(key, options);
  if (await tryToSwitchVersion(existing, options)) return 'current';
  if (!isDamaged && (await useOverlayBase(options))) return 'later';
  // A version cannot be built while the external index is unavailable.
  if (external instanceof AppError) throw external;
  const builtVersion = await makeSharedVersion(key, {
    ...options,
    isDamaged: isKeyDamaged || existing !== null,
    onMade: (version) => switchToVersion(version, options),
  });
  if (builtVersion === null) return 'later';
  await folders.prune(builtVersion.folder);
  return 'current';
}

/** @returns `complete` without an external index; the error CATALOG_UNAVAILABLE if it is down */
async function checkExternalObjects(options: Follower['options']): Promise<'complete' | 'incomplete' | AppError> {
  const { base, external, current } = options;
  if (external === undefined) return 'complete';
  const { built } = current();
  try {
    const name = nameVersionFolder({ base, imported: built.imported });
    return (await external.hasVersion(name, built.documents)) ? 'complete' : 'incomplete';
  } catch (error) {
    if (hasErrorCode(error, 'CATALOG_UNAVAILABLE')) return error;
    throw error;
  }
}

/** Applies the changes to the current version as an overlay.
 *  @returns null if a version has to be built */
async function overlayImports(options: Follower['options']): Promise<Outcome | null> {
  const { imported, current, replace, starter, signal, overlayLimit: limit } = options;
  if (limit === 0) return null;
  const version = current();
  const { built, changes: previous } = version;
  const changes = await findImportChanges({ imported, starter, limit, built, previous });
  if (changes === 'later') return 'later';
  // A record that could not be read would count as missing.
  if (changes === null || version.isDamaged) return null;
  const next = await version.withChanges(changes);
  if (signal.aborted) next.close();
  signal.throwIfAborted();
  replace(next);
  return 'current';
}

/** Switches to a version that becomes current with an overlay. @returns whether there was one */
async function useOverlayBase(options: Follower['options']): Promise<boolean> {
  const { base, current, overlayLimit: limit } = options;
  if (limit === 0) return false;
  return tryToSwitchVersion(await loadOverlayBase(base, { ...options, limit, except: current().folder }), options);
}

/** Builds the next version in the background while the overlay is still small enough. */
function buildImportsAhead(follower: Follower, key: VersionKey): void {
  const { buildAhead, builtAhead, lastAhead } = follower;
  if (buildAhead !== undefined || builtAhead !== null || lastAhead === key.imported) return;
  const options = { ...follower.options, mayLackObjects: false };
  const build = async () => (await loadVersion(key, options)) ?? (await makeSharedVersion(key, options));
  follower.lastAhead = key.imported;
  follower.buildAhead = build()
    .then(
      (version) => {
        follower.builtAhead = version;
      },
      (error) => {
        if (!options.signal.aborted) options.onProblem(error);
      },
    )
    .finally(() => {
      follower.buildAhead = undefined;
    });
}

/** @returns whether there was a version that could be opened */
async function tryToSwitchVersion(version: MadeVersion | null, options: Follower['options']): Promise<boolean> {
  if (version === null) return false;
  try {
    await switchToVersion(version, options);
  } catch (error) {
    options.signal.throwIfAborted();
    options.onProblem(error);
    return false;
  }
  await options.folders.prune(version.folder);
  return true;
}

function switchToVersion(version: MadeVersion, options: Follower['options']): Promise<void> {
  options.signal.throwIfAborted();
  return options.switchTo(version);
}
