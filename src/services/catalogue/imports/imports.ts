import type { Actor } from '#domain/admin';
import type { ImportRhythm } from '#domain/catalog';
import { AppError, hasErrorCode } from '#errors';
import type { ImportSources } from '#ports/imports';
import type { ImportRecord, ImportRepository, PageRequest } from '#ports/store/store';
import { describeImportChanges } from './compare.ts';
import {
  canImportBeCleared,
  changeImportRecord,
  createImportChangedError,
  createImportRunningError,
  getImportRecord,
  giveUpImportRecord,
  type ImportsDeps,
  isImportAtWork,
  recordImport,
  recordImportEnd,
} from './import-records.ts';
import { createImportRuns } from './import-runs.ts';
import { canSetRepeatRhythm, listNewestRepeats, setRepeatRhythm } from './repeats.ts';

/** Each import is a layer in the store, which one write makes live and another can undo. All hosts
 *  of a store together run one import of a dataset at a time. Ends, stops and undos are audited. */
export type Imports = ReturnType<typeof createImports>;

export function createImports(deps: ImportsDeps) {
  const { clearBehind, ...runs } = createImportRuns(deps);
  return {
    ...runs,
    /** Makes the state before an import live again. Errors: IMPORT_UNKNOWN; IMPORT_NOT_NEWEST if it
     *  is not the newest live one, or the state before it is gone; IMPORT_RUNNING. */
    async undo(actor: Actor, id: string): Promise<ImportRecord> {
      const record = await undoLiveImport(deps, actor, id);
      clearBehind(record);
      return record;
    },
    /** Makes a checked import live. Errors: IMPORT_UNKNOWN; CHANGED_MEANWHILE if the dataset
     *  changed since the comparison. */
    async accept(actor: Actor, id: string): Promise<ImportRecord> {
      const record = await acceptImport(deps, actor, id);
      clearBehind(record);
      return record;
    },
    /** Sets how often an import is repeated; null means never. Errors: IMPORT_UNKNOWN;
     *  CHANGED_MEANWHILE if `canSetRhythm` is false. */
    setRhythm: (actor: Actor, id: string, rhythm: ImportRhythm | null) => setRepeatRhythm(deps, actor, { id, rhythm }),
    /** Tells whether it is the newest live import, from an address to open again, and none runs. */
    canSetRhythm: (record: ImportRecord) => canSetRepeatRhythm(deps, record),
    remember: (sources: ImportSources) => rememberImportChoices(sources, deps.imports),
    /** Tells whether `undo` would work, apart from running imports. */
    canUndo: (record: ImportRecord) => canUndoImport(deps.imports, record),
    getImport: (id: string) => getImportRecord(deps.imports, id),
    /** Returns the next import of the dataset, such as one that reads it anew; null for none. */
    async findNext({ dataset, number }: ImportRecord): Promise<ImportRecord | null> {
      const records = await deps.imports.listImportsOf(dataset);
      return records.findLast((record) => record.number > number) ?? null;
    },
    /** Describes the first records that an import adds, changes or removes. */
    describeChanges: (record: ImportRecord) => describeImportChanges(deps.imports, record),
    /** Lists the newest import, in any state, of each dataset that is imported regularly. */
    listNewestOfRepeats: () => listNewestRepeats(deps.imports),
    /** Lists all imports, newest first. */
    listImports: (page: PageRequest) => deps.imports.listImports(page),
  };
}

/** Makes a checked import live. Any other import or undo of the dataset gives the checked one up
 *  first, so the version of its record tells whether it may still go live. */
async function acceptImport({ imports, audit, clock }: ImportsDeps, actor: Actor, id: string): Promise<ImportRecord> {
  const record = await getImportRecord(imports, id);
  const [newest] = await imports.listLiveOf(record.dataset, { skip: 0, limit: 1 });
  if (record.state !== 'checked' || record.comparedWith !== (newest?.number ?? 0)) throw createImportChangedError();
  // A running undo of the newest import has to read that again, and finds this one in its place.
  if (newest !== undefined && (await changeImportRecord(imports, newest, {})) === null)
    throw createImportChangedError();
  const changes = { state: 'live', isUndoable: true, endedAt: clock.now() } as const;
  const accepted = await changeImportRecord(imports, record, changes);
  if (accepted === null) throw createImportChangedError();
  await recordImportEnd(audit, actor, accepted);
  return accepted;
}

/** Number of tries. One fails only if another host has changed the dataset, so few are needed. */
const TRIES = 20;

async function undoLiveImport(deps: ImportsDeps, actor: Actor, id: string): Promise<ImportRecord> {
  const { imports, audit } = deps;
  for (let tries = 0; tries < TRIES; tries++) {
    // The version is read before looking for running imports; see `begin-import.ts`.
    const record = await getImportRecord(imports, id);
    if (!(await canUndoImport(imports, record)))
      throw new AppError('IMPORT_NOT_NEWEST', explainImportNotUndoable(record));
    if (!(await giveUpComparedImports(deps, record))) continue;
    const changes = { state: 'undone', isUndoable: false, rhythm: null } as const;
    const undone = await changeImportRecord(imports, record, changes);
    if (undone === null) continue;
    await recordImport(audit, actor, 'import.undone', undone);
    return undone;
  }
  throw createImportChangedError();
}

/** Ends imports that were compared with the undone one. @returns false if one was changed */
async function giveUpComparedImports(deps: ImportsDeps, { id, dataset }: ImportRecord): Promise<boolean> {
  const { imports, clock } = deps;
  for (const record of await imports.listImportsOf(dataset)) {
    if (isImportAtWork(record, clock.now())) throw createImportRunningError(dataset);
    if (!canImportBeCleared(record) && !(await giveUpImportRecord(deps, record))) return false;
    const hasRhythm = record.rhythm !== null && record.id !== id && canImportBeCleared(record);
    if (hasRhythm && (await changeImportRecord(imports, record, { rhythm: null })) === null) return false;
  }
  return true;
}

async function canUndoImport(imports: Pick<ImportRepository, 'listLiveOf'>, record: ImportRecord): Promise<boolean> {
  const { id, dataset, state, isUndoable } = record;
  if (state !== 'live' || !isUndoable) return false;
  const [newest] = await imports.listLiveOf(dataset, { skip: 0, limit: 1 });
  return newest?.id === id;
}

function explainImportNotUndoable({ number, dataset, state }: ImportRecord): string {
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

/** Opens sources with the choices (map, sheet or page) of the latest import of the same dataset and
 *  format, unless they no longer fit the columns. Explicit choices take precedence. */
export function rememberImportChoices(
  sources: ImportSources,
  imports: Pick<ImportRepository, 'listImportsOf'>,
): ImportSources {
  return {
    ...sources,
    async open(request) {
      if (request.map !== undefined || request.sheet !== undefined || request.page !== undefined)
        return sources.open(request);
      const records = await imports.listImportsOf(sources.nameDataset(request));
      const choices = records.find(({ format, choices }) => format === request.format && choices !== null)?.choices;
      if (!choices) return sources.open(request);
      return sources.open({ ...request, ...choices }).catch((error: unknown) => {
        if (!hasErrorCode(error, 'IMPORT_INVALID')) throw error;
        return sources.open(request);
      });
    },
  };
}
