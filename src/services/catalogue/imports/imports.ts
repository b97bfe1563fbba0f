import type { Actor } from '#domain/admin';
import type { ImportRhythm } from '#domain/catalog';
import type { ImportRecord, Page, PageRequest } from '#ports/store/store';
import { acceptImport } from './accept.ts';
import { type DescribedChange, describeChanges } from './describe-changes.ts';
import type { ImportsDeps } from './import-options.ts';
import { getImport } from './import-records.ts';
import { createImportRuns, type RunsOfImports } from './import-runs.ts';
import { canSetImportRhythm, listNewestOfRepeats, setImportRhythm } from './rhythm.ts';
import { canUndo, createUndo } from './undo.ts';

/** Imports of taxonomies and catalogues. Each is a layer in the store, which one write makes count and another can undo. All
 *  hosts of a store together run one import of a dataset at a time. Every import that ended, was stopped or was undone is in the
 *  audit trail. */
export interface Imports extends RunsOfImports {
  /** Makes what was before it count again, at once. Errors: IMPORT_UNKNOWN; IMPORT_NOT_NEWEST where a newer one of the dataset
   *  counts, or it does not count itself, or what was before is not kept any more; IMPORT_RUNNING where one of the dataset runs. */
  undo(actor: Actor, id: string): Promise<ImportRecord>;
  /** Makes one that was checked count, at once. Errors: IMPORT_UNKNOWN; CHANGED_MEANWHILE where it does not wait for that, or the
   *  dataset was changed since it was compared with it. */
  accept(actor: Actor, id: string): Promise<ImportRecord>;
  /** Says how often the address of the dataset is imported again. Errors: IMPORT_UNKNOWN; CHANGED_MEANWHILE where `canSetRhythm`
   *  says no. */
  setRhythm(actor: Actor, id: string, rhythm: ImportRhythm | null): Promise<ImportRecord>;
  /** Whether it is the newest import of its dataset that counts, from an address that can be repeated, and none runs. */
  canSetRhythm(record: ImportRecord): Promise<boolean>;
  /** Whether `undo` would work, apart from imports that run. */
  canUndo(record: ImportRecord): Promise<boolean>;
  /** Errors: IMPORT_UNKNOWN. */
  getImport(id: string): Promise<ImportRecord>;
  /** The import of the same dataset that was begun after this one, as where its source had to be read anew; null where none was. */
  findNext(record: ImportRecord): Promise<ImportRecord | null>;
  /** The first records that an import adds, changes or removes. */
  describeChanges(record: ImportRecord): Promise<readonly DescribedChange[]>;
  /** The newest import of each dataset whose address is imported again by itself, whatever became of it. */
  listNewestOfRepeats(): Promise<readonly ImportRecord[]>;
  /** Newest first. */
  listImports(page: PageRequest): Promise<Page<ImportRecord>>;
}

export function createImports(deps: ImportsDeps): Imports {
  const runs = createImportRuns(deps);
  const undo = createUndo(deps);
  return {
    run: runs.run,
    start: runs.start,
    stop: runs.stop,
    isWaiting: runs.isWaiting,
    async undo(actor, id) {
      const record = await undo(actor, id);
      runs.clearBehind(record);
      return record;
    },
    async accept(actor, id) {
      const record = await acceptImport(deps, actor, id);
      runs.clearBehind(record);
      return record;
    },
    setRhythm: (actor, id, rhythm) => setImportRhythm(deps, actor, { id, rhythm }),
    canSetRhythm: (record) => canSetImportRhythm(deps, record),
    canUndo: (record) => canUndo(deps.imports, record),
    getImport: (id) => getImport(deps.imports, id),
    async findNext({ dataset, number }) {
      const records = await deps.imports.listImportsOf(dataset);
      return records.findLast((each) => each.number > number) ?? null;
    },
    describeChanges: (record) => describeChanges(deps.imports, record),
    listNewestOfRepeats: () => listNewestOfRepeats(deps.imports),
    listImports: (page) => deps.imports.listImports(page),
    close: runs.close,
  };
}
