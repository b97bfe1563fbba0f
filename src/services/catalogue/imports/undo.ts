import type { Actor } from '#domain/admin';
import { AppError } from '#errors';
import type { ImportRecord, ImportRepository } from '#ports/store/store';
import type { ImportsDeps } from './import-options.ts';
import {
  canImportBeCleared,
  changeImport,
  createImportChangedError,
  createImportRunningError,
  getImport,
  giveUpImportRecord,
  isImportAtWork,
  recordUndo,
} from './import-records.ts';

/** Each time a try fails, another host got ahead, so few tries are needed. */
const TRIES = 20;

/** Makes what was before an import count again, with one write. */
export function createUndo(deps: Pick<ImportsDeps, 'imports' | 'clock' | 'audit'>) {
  const { imports, clock, audit } = deps;

  /** Imports that were compared with the undone one cannot be resumed or accepted, and none begins it again by itself. @returns false where somebody got ahead */
  async function giveUpOthers({ id, dataset }: ImportRecord): Promise<boolean> {
    for (const other of await imports.listImportsOf(dataset)) {
      if (isImportAtWork(other, clock.now())) throw createImportRunningError(dataset);
      if (!canImportBeCleared(other) && !(await giveUpImportRecord(deps, other))) return false;
      const isRhythmic = other.rhythm !== null && other.id !== id && canImportBeCleared(other);
      if (isRhythmic && (await changeImport(imports, other, { rhythm: null })) === null) return false;
    }
    return true;
  }

  return async function undo(actor: Actor, id: string): Promise<ImportRecord> {
    for (let tried = 0; tried < TRIES; tried++) {
      // Its version is read before looking for running imports; see `begin.ts`.
      const record = await getImport(imports, id);
      if (!(await canUndo(imports, record))) throw notUndoable(record);
      if (!(await giveUpOthers(record))) continue;
      const undone = await changeImport(imports, record, {
        state: 'undone',
        isUndoable: false,
        rhythm: null,
      });
      if (undone === null) continue;
      await recordUndo(audit, actor, undone);
      return undone;
    }
    throw createImportChangedError();
  };
}

/** Only the newest import that counts can be undone, as long as what was before it is kept. */
export async function canUndo(
  imports: Pick<ImportRepository, 'listLiveOf'>,
  { id, dataset, state, isUndoable }: ImportRecord,
): Promise<boolean> {
  if (state !== 'live' || !isUndoable) return false;
  const [newest] = await imports.listLiveOf(dataset, { skip: 0, limit: 1 });
  return newest?.id === id;
}

function notUndoable(record: ImportRecord): AppError {
  return new AppError('IMPORT_NOT_NEWEST', whyNotUndoable(record));
}

function whyNotUndoable({ number, dataset, state }: ImportRecord): string {
  switch (state) {
    case 'undone':
      return `Import ${number} was already taken back: there is nothing to do.`;
    case 'failed':
    case 'stopped':
    case 'unchanged':
      return `Import ${number} changed nothing (${state}): there is nothing to take back.`;
    case 'running':
    case 'checked':
      return `Import ${number} does not count yet: there is nothing to take back. Stop it instead (on the command line: skilldock imports stop ${number}).`;
    default:
      return `Only the newest import of ${dataset} that counts can be undone, as long as what was before it is kept. Undo newer ones first, or import the older source again.`;
  }
}
