import { isDeepStrictEqual } from 'node:util';
import { type Actor, systemActor } from '#domain/admin';
import type { ImportRhythm } from '#domain/catalog';
import { mayAddressHoldKey } from '#domain/web-address';
import type { ImportSource, ImportSources } from '#ports/imports';
import type { ImportRecord, ImportRepository, Store } from '#ports/store/store';
import { repeatWork } from '#services/host/repeated-work';
import type { Audit } from '#services/tenants/audit';
import type { RecordDeps, StartOptions } from './import-records.ts';
import { changeImportRecord, createImportChangedError, getImportRecord, isImportAtWork } from './import-records.ts';

interface ImportRepeatsDeps extends RecordDeps, Pick<Store, 'nonces'> {
  readonly runs: { start(actor: Actor, source: ImportSource, options: StartOptions): Promise<unknown> };
  readonly sources: ImportSources;
  onProblem(error: unknown): void;
}

const MINUTE_MS = 60_000;
const CHECK_INTERVAL_MS = 10 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Periods are one interval of checks shorter, so that imports do not start later each day. */
const periodsMs: Readonly<Record<ImportRhythm, number>> = {
  daily: DAY_MS - CHECK_INTERVAL_MS,
  weekly: 7 * DAY_MS - CHECK_INTERVAL_MS,
};

const LEASE = 'imports that repeat';

/** Imports addresses daily or weekly; of several hosts on one store, one at a time. */
export function createImportRepeats(deps: ImportRepeatsDeps) {
  const { imports, nonces, clock, onProblem } = deps;

  async function beginDue(): Promise<number> {
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + CHECK_INTERVAL_MS / 2);
    if (work.signal.aborted || !(await nonces.claimNonce(LEASE, { now, expiresAt }))) return 0;
    let begun = 0;
    for (const record of await imports.listRhythmic()) {
      try {
        if (!(await isRepeatDue(deps, record))) continue;
        await repeatImport(deps, record);
        begun++;
      } catch (error) {
        onProblem(error);
      }
    }
    return begun;
  }

  const work = repeatWork({ everyMs: CHECK_INTERVAL_MS, run: beginDue, onProblem });
  return {
    /** Begins the imports that are due. @returns their number */
    beginDue,
    /** Begins due imports every ten minutes. */
    start: work.start,
    close: work.stop,
  };
}

async function isRepeatDue({ imports, clock }: ImportRepeatsDeps, record: ImportRecord): Promise<boolean> {
  const imported = await imports.listImportsOf(record.dataset);
  const [newest = record] = imported;
  if ((findRhythmSetter(imported)?.number ?? 0) > record.number) {
    // The rhythm of a newer import has replaced this one.
    await changeImportRecord(imports, record, { rhythm: null });
    return false;
  }
  const lastMs = (newest.endedAt ?? newest.aliveUntil).getTime();
  const isUnderWay = isImportAtWork(newest, clock.now()) || newest.state === 'checked';
  const isLongAgo = record.rhythm !== null && clock.now().getTime() - lastMs >= periodsMs[record.rhythm];
  return setsRhythm(record, imported) && !isUnderWay && isLongAgo;
}

async function repeatImport({ runs, sources }: ImportRepeatsDeps, { format, dataset, origin, rhythm }: ImportRecord) {
  if (origin === null) return;
  const source = await sources.open({ format, dataset, langs: origin.langs, location: origin.address });
  try {
    const onEnd = async () => source.close?.();
    await runs.start(systemActor, source, { origin, rhythm, onEnd });
  } catch (error) {
    source.close?.();
    throw error;
  }
}

export type RhythmOptions = Pick<StartOptions, 'origin' | 'rhythm'>;

const isSettled = ({ state }: ImportRecord) => state === 'live' || state === 'unchanged';

/** Finds the import that sets the rhythm of a dataset: the newest one that is live or changed
 *  nothing. @param records all of the dataset, newest first */
const findRhythmSetter = (records: readonly ImportRecord[]): ImportRecord | undefined => records.find(isSettled);

/** @param records all of the dataset, newest first */
function setsRhythm(record: ImportRecord, records: readonly ImportRecord[]): boolean {
  return isSettled(record) && (findRhythmSetter(records)?.number ?? 0) <= record.number;
}

/** Returns the origin and rhythm to store. A file or another address without a rhythm ends repeats.
 *  @param records all of the dataset, newest first */
export function chooseRepeatRhythm(
  records: readonly ImportRecord[],
  { format }: Pick<ImportSource, 'format'>,
  { origin = null, rhythm }: RhythmOptions,
): Pick<ImportRecord, 'origin' | 'rhythm'> {
  if (origin === null || mayAddressHoldKey(origin.address)) return { origin: null, rhythm: null };
  if (rhythm !== undefined) return { origin, rhythm };
  const before = findRhythmSetter(records);
  const isSame = before?.format === format && isDeepStrictEqual(before.origin, origin);
  return { origin, rhythm: isSame ? before.rhythm : null };
}

/** Tells whether `setRepeatRhythm` would work. A running import has taken over the rhythm. */
export async function canSetRepeatRhythm({ imports, clock }: RecordDeps, record: ImportRecord): Promise<boolean> {
  const records = await imports.listImportsOf(record.dataset);
  const [newest = record] = records;
  return record.origin !== null && setsRhythm(record, records) && !isImportAtWork(newest, clock.now());
}

/** Errors: IMPORT_UNKNOWN; CHANGED_MEANWHILE if the rhythm cannot be set. */
export async function setRepeatRhythm(
  deps: RecordDeps & { readonly audit: Audit },
  actor: Actor,
  { id, rhythm }: { readonly id: string; readonly rhythm: ImportRhythm | null },
): Promise<ImportRecord> {
  const record = await getImportRecord(deps.imports, id);
  const isAllowed = await canSetRepeatRhythm(deps, record);
  const changed = isAllowed ? await changeImportRecord(deps.imports, record, { rhythm }) : null;
  if (changed === null) throw createImportChangedError();
  const address = record.origin?.address ?? '';
  const details = { dataset: record.dataset, address, rhythm: rhythm ?? 'never' };
  await deps.audit.record(actor, { action: 'import.rhythm', tenantId: null, target: record.title, details });
  return changed;
}

/** Lists the newest import, in any state, of each dataset whose address is imported regularly. */
export async function listNewestRepeats(
  imports: Pick<ImportRepository, 'listRhythmic' | 'listImportsOf'>,
): Promise<readonly ImportRecord[]> {
  const settled = (await imports.listRhythmic()).filter(isSettled);
  const newest: ImportRecord[] = [];
  for (const dataset of new Set(settled.map((record) => record.dataset)))
    newest.push(...(await imports.listImportsOf(dataset, 1)));
  return newest;
}
