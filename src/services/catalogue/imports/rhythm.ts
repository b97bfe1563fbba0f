import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '#domain/admin';
import type { ImportRhythm } from '#domain/catalog';
import { mayHoldKey } from '#domain/web-address';
import type { ImportSource } from '#ports/imports';
import type { ImportRecord, ImportRepository } from '#ports/store/store';
import type { Audit } from '#services/tenants/audit';
import type { StartOptions } from './import-options.ts';
import {
  changeImport,
  createImportChangedError,
  getImport,
  isImportAtWork,
  type RecordDeps,
} from './import-records.ts';

export type RhythmOptions = Pick<StartOptions, 'origin' | 'rhythm'>;

const isSettled = ({ state }: ImportRecord) => state === 'live' || state === 'unchanged';

/** The newest import that counts, or found everything as it was: only that one says how often its address is imported again.
 *  @param records of one dataset, newest first */
export function findRhythmSetter(records: readonly ImportRecord[]): ImportRecord | undefined {
  return records.find(isSettled);
}

/** @param others newest first, with or without the record */
export function saysRhythm(record: ImportRecord, others: readonly ImportRecord[]): boolean {
  return isSettled(record) && (findRhythmSetter(others)?.number ?? 0) <= record.number;
}

/** What an import of the source keeps of where it is from and how often. A file ends the repeating, and so does another address
 *  of which nothing is said. */
export function chooseRhythm(
  others: readonly ImportRecord[],
  { format }: Pick<ImportSource, 'format'>,
  { origin = null, rhythm }: RhythmOptions,
): Pick<ImportRecord, 'origin' | 'rhythm'> {
  if (origin === null || mayHoldKey(origin.address)) return { origin: null, rhythm: null };
  if (rhythm !== undefined) return { origin, rhythm };
  const before = findRhythmSetter(others);
  const isSame = before?.format === format && isDeepStrictEqual(before.origin, origin);
  return { origin, rhythm: isSame ? before.rhythm : null };
}

/** Whether `setImportRhythm` would work. An import that runs has taken over what was said before. */
export async function canSetImportRhythm(
  { imports, clock }: RecordDeps,
  record: ImportRecord,
): Promise<boolean> {
  const others = await imports.listImportsOf(record.dataset);
  const [newest = record] = others;
  return record.origin !== null && saysRhythm(record, others) && !isImportAtWork(newest, clock.now());
}

/** Errors: IMPORT_UNKNOWN; CHANGED_MEANWHILE where it has no address, does not count, or a newer import of the dataset counts or
 *  runs. */
export async function setImportRhythm(
  deps: RecordDeps & { readonly audit: Audit },
  actor: Actor,
  { id, rhythm }: { readonly id: string; readonly rhythm: ImportRhythm | null },
): Promise<ImportRecord> {
  const record = await getImport(deps.imports, id);
  const isAllowed = await canSetImportRhythm(deps, record);
  const changed = isAllowed ? await changeImport(deps.imports, record, { rhythm }) : null;
  if (changed === null) throw createImportChangedError();
  const address = record.origin?.address ?? '';
  const details = { dataset: record.dataset, address, rhythm: rhythm ?? 'never' };
  await deps.audit.record(actor, { action: 'import.rhythm', tenantId: null, target: record.title, details });
  return changed;
}

/** The newest import of each dataset whose address is imported again by itself, whatever became of it. */
export async function listNewestOfRepeats(
  imports: Pick<ImportRepository, 'listRhythmic' | 'listImportsOf'>,
): Promise<readonly ImportRecord[]> {
  const settled = (await imports.listRhythmic()).filter(isSettled);
  const newest: ImportRecord[] = [];
  for (const dataset of new Set(settled.map((record) => record.dataset)))
    newest.push(...(await imports.listImportsOf(dataset, 1)));
  return newest;
}
