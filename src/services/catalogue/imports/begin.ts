import type { Actor } from '#domain/admin';
import { AppError } from '#errors';
import type { ImportSource } from '#ports/imports';
import type { ImportRecord, ImportRepository } from '#ports/store/store';
import {
  canImportBeCleared,
  changeImport,
  createImportChangedError,
  createImportRunningError,
  giveUpImportRecord,
  isImportAtWork,
  isImportBrokenOff,
  LEASE_MS,
  makeImportRecord,
  type NewImport,
  type RecordDeps,
} from './import-records.ts';
import { chooseRhythm, type RhythmOptions } from './rhythm.ts';

/** An import that this process may work on, and what it is compared with. */
export interface BegunImport {
  readonly record: ImportRecord;
  /** Numbers of the imports of the dataset that count. They stay the same while it runs. */
  readonly live: ReadonlySet<number>;
}

/** Each time a try fails, another host got ahead, so few tries are needed. */
const TRIES = 20;

/** Takes over the newest import of the dataset if it was broken off and the source is the same, else adds a new one.
 *  Errors: IMPORT_RUNNING; IMPORT_INVALID where what counts of the dataset is of another format. */
export async function beginImport(
  deps: RecordDeps,
  actor: Actor,
  source: ImportSource,
  options: RhythmOptions = {},
): Promise<BegunImport> {
  await refuseOtherImportFormat(deps.imports, source);
  for (let tried = 0; tried < TRIES; tried++) {
    const record =
      (await takeOver(deps, source, options)) ?? (await addNew(deps, actor, { ...options, source }));
    if (record !== null) return { record, live: await holdLive(deps, source.dataset) };
  }
  throw createImportChangedError();
}

/** Records of another format would all be taken as removed. Errors: IMPORT_INVALID. */
export async function refuseOtherImportFormat(
  imports: Pick<ImportRepository, 'listLiveOf'>,
  { dataset, format }: Pick<ImportSource, 'dataset' | 'format'>,
): Promise<void> {
  const [newest] = await imports.listLiveOf(dataset, { skip: 0, limit: 1 });
  if (newest === undefined || newest.format === format) return;
  throw new AppError(
    'IMPORT_INVALID',
    `The dataset ${dataset} was imported as ${newest.format}, and this is ${format}: it would take the place of all of it. Give this import another name; on the command line that is --name.`,
  );
}

async function takeOver(
  deps: RecordDeps,
  source: ImportSource,
  options: RhythmOptions,
): Promise<ImportRecord | null> {
  const others = await deps.imports.listImportsOf(source.dataset);
  const [newest] = others;
  const now = deps.clock.now();
  if (newest === undefined) return null;
  if (isImportAtWork(newest, now)) throw createImportRunningError(source.dataset);
  if (!isImportBrokenOff(newest) || !canGoOn(newest, source, now)) return null;
  const aliveUntil = new Date(now.getTime() + LEASE_MS);
  const running = { state: 'running', endedAt: null, problem: null, aliveUntil } as const;
  return changeImport(deps.imports, newest, { ...running, ...chooseRhythm(others, source, options) });
}

/** Whether this import's position still fits the source as it is now. */
function canGoOn(broken: ImportRecord, source: ImportSource, now: Date): boolean {
  const { format, fingerprint, resumableForMs = Number.POSITIVE_INFINITY } = source;
  if (fingerprint === null || broken.fingerprint !== fingerprint || broken.format !== format) return false;
  return now.getTime() - (broken.aliveUntil.getTime() - LEASE_MS) <= resumableForMs;
}

/** Null where somebody was quicker. */
async function addNew(
  deps: RecordDeps,
  actor: Actor,
  { source, ...options }: Omit<NewImport, 'now'>,
): Promise<ImportRecord | null> {
  const others = await deps.imports.listImportsOf(source.dataset);
  for (const old of others) {
    if (isImportAtWork(old, deps.clock.now())) throw createImportRunningError(source.dataset);
    // Also dead ones without a position: only one import may be `running`. What waits to be accepted was compared with what counts now.
    if (!canImportBeCleared(old) && !(await giveUpImportRecord(deps, old))) return null;
  }
  const again = chooseRhythm(others, source, options);
  return deps.imports.addImport(makeImportRecord(actor, { source, ...again, now: deps.clock.now() }));
}

/** The imports that count; from here on none of them is undone. `undo` first reads the newest one's version and then looks for
 *  running ones. As the version is raised here, it has to read again, and finds this one running. */
async function holdLive({ imports }: RecordDeps, dataset: string): Promise<ReadonlySet<number>> {
  for (let tried = 0; tried < TRIES; tried++) {
    const live = (await imports.listLive()).filter((each) => each.dataset === dataset);
    const [newest] = await imports.listLiveOf(dataset, { skip: 0, limit: 1 });
    const numbers = new Set(live.map(({ number }) => number));
    if (newest === undefined ? numbers.size === 0 : newest.number === live.at(-1)?.number) {
      if (newest === undefined || (await changeImport(imports, newest, {})) !== null) return numbers;
    }
  }
  throw createImportChangedError();
}
