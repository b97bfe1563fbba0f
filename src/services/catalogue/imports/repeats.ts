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
const LOOK_MS = 10 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Shorter than a day or week by one look, so that imports do not slip from day to day. */
const periodsMs: Readonly<Record<ImportRhythm, number>> = { daily: DAY_MS - LOOK_MS, weekly: 7 * DAY_MS - LOOK_MS };

const LEASE = 'imports that repeat';

/** Imports addresses daily or weekly; of several hosts on one store, one at a time. */
export function createImportRepeats(deps: ImportRepeatsDeps) {
  const { imports, nonces, clock, onProblem } = deps;

  async function lookForDue(): Promise<number> {
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + LOOK_MS / 2);
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

  const work = repeatWork({ everyMs: LOOK_MS, run: lookForDue, onProblem });
  return {
    /** Begins the imports that are due. @returns their number */
    look: lookForDue,
    /** Does so every ten minutes. */
    start: work.start,
    close: work.stop,
  };
}

async function isRepeatDue({ imports, clock }: ImportRepeatsDeps, record: ImportRecord): Promise<boolean> {
  const others = await imports.listImportsOf(record.dataset);
  const [newest = record] = others;
  if ((findRhythmSetter(others)?.number ?? 0) > record.number) {
    // The rhythm of a newer import has replaced this one.
    await changeImportRecord(imports, record, { rhythm: null });
    return false;
  }
  const lastMs = (newest.endedAt ?? newest.aliveUntil).getTime();
  const isUnderWay = isImportAtWork(newest, clock.now()) || newest.state === 'checked';
  const isLongAgo = record.rhythm !== null && clock.now().getTime() - lastMs >= periodsMs[record.rhythm];
  return setsRepeatRhythm(record, others) && !isUnderWay && isLongAgo;
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

const isRepeatSettled = ({ state }: ImportRecord) => state === 'live' || state === 'unchanged';
/** Of one dataset, newest first: the newest import that is live or changed nothing sets it. */
const findRhythmSetter = (records: readonly ImportRecord[]): ImportRecord | undefined => records.find(isRepeatSettled);

/** @param others newest first, with or without the record */
function setsRepeatRhythm(record: ImportRecord, others: readonly ImportRecord[]): boolean {
  return isRepeatSettled(record) && (findRhythmSetter(others)?.number ?? 0) <= record.number;
}

/** The origin and rhythm to store. A file or another address without a rhythm ends repeats. */
export function chooseRepeatRhythm(
  others: readonly ImportRecord[],
  { format }: Pick<ImportSource, 'format'>,
  { origin = null, rhythm }: RhythmOptions,
): Pick<ImportRecord, 'origin' | 'rhythm'> {
  if (origin === null || mayAddressHoldKey(origin.address)) return { origin: null, rhythm: null };
  if (rhythm !== undefined) return { origin, rhythm };
  const before = findRhythmSetter(others);
  const isSame = before?.format === format && isDeepStrictEqual(before.origin, origin);
  return { origin, rhythm: isSame ? before.rhythm : null };
}

/** Whether `setRepeatRhythm` would work. An import that runs has taken over the rhythm before. */
export async function canSetRepeatRhythm({ imports, clock }: RecordDeps, record: ImportRecord): Promise<boolean> {
  const others = await imports.listImportsOf(record.dataset);
  const [newest = record] = others;
  return record.origin !== null && setsRepeatRhythm(record, others) && !isImportAtWork(newest, clock.now());
}

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

/** The newest import, in whatever state, of each dataset whose address is imported regularly. */
export async function listNewestRepeats(
  imports: Pick<ImportRepository, 'listRhythmic' | 'listImportsOf'>,
): Promise<readonly ImportRecord[]> {
  const settled = (await imports.listRhythmic()).filter(isRepeatSettled);
  const newest: ImportRecord[] = [];
  for (const dataset of new Set(settled.map((record) => record.dataset)))
    newest.push(...(await imports.listImportsOf(dataset, 1)));
  return newest;
}
