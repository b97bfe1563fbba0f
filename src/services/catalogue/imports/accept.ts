import type { Actor } from '#domain/admin';
import type { ImportRecord } from '#ports/store/store';
import type { Audit } from '#services/tenants/audit';
import {
  changeImport,
  createImportChangedError,
  getImport,
  type RecordDeps,
  recordEnd,
} from './import-records.ts';

/** Makes an import that was read and compared count, with one write. Whatever else begins or undoes an import of its dataset gives
 *  it up first, so that its version says whether it may still count. Errors: IMPORT_UNKNOWN, CHANGED_MEANWHILE. */
export async function acceptImport(
  { imports, audit, clock }: RecordDeps & { readonly audit: Audit },
  actor: Actor,
  id: string,
): Promise<ImportRecord> {
  const record = await getImport(imports, id);
  const [newest] = await imports.listLiveOf(record.dataset, { skip: 0, limit: 1 });
  if (record.state !== 'checked' || record.comparedWith !== (newest?.number ?? 0))
    throw createImportChangedError();
  // Who is about to undo the newest one has to read it again, and finds this one in its place.
  if (newest !== undefined && (await changeImport(imports, newest, {})) === null)
    throw createImportChangedError();
  const changes = { state: 'live', isUndoable: true, endedAt: clock.now() } as const;
  const accepted = await changeImport(imports, record, changes);
  if (accepted === null) throw createImportChangedError();
  await recordEnd(audit, actor, accepted);
  return accepted;
}
