import type Database from 'libsql';
import type { ImportRecord, ImportRepository, LiveImport } from '../../../../ports/store/store.ts';
import { flag, instant, integer, json, nullable, text } from '../columns.ts';
import { writeUnlessTaken } from '../database.ts';
import { listPage } from '../list-page.ts';
import { defineTable } from '../table.ts';
import { createEntryRepository } from './import-entries.ts';

export const imports = defineTable<ImportRecord>('imports', {
  columns: {
    id: text(),
    number: integer,
    format: text(),
    dataset: text(),
    title: text(),
    state: text(),
    actor: json(),
    startedAt: instant,
    endedAt: nullable(instant),
    aliveUntil: instant,
    fingerprint: nullable(text()),
    position: nullable(text()),
    done: integer,
    total: nullable(integer),
    unit: text(),
    counts: json(),
    rejected: json(),
    changes: json(),
    comparedWith: integer,
    origin: nullable(json()),
    rhythm: nullable(text()),
    problem: nullable(text()),
    isUndoable: flag,
    version: integer,
  },
});

const MOST = 100;

export function createImportRepository(database: Database.Database): ImportRepository {
  const insert = database.prepare(imports.insert);
  const highest = database.prepare('SELECT coalesce(max(number), 0) AS number FROM imports');
  const replace = database.prepare(`${imports.update} WHERE id = ? AND version = ?`);
  const one = database.prepare(imports.select('WHERE id = ?'));
  const ofDataset = database.prepare(imports.select('WHERE dataset = ? ORDER BY number DESC LIMIT ?'));
  const live = database.prepare(
    "SELECT id, number, dataset FROM imports WHERE state = 'live' ORDER BY number",
  );
  const liveOf = database.prepare(
    imports.select("WHERE dataset = ? AND state = 'live' ORDER BY number DESC LIMIT ? OFFSET ?"),
  );
  const rhythmic = database.prepare(imports.select('WHERE rhythm IS NOT NULL ORDER BY number'));
  const add = database.transaction((record: Omit<ImportRecord, 'number'>) => {
    const { number } = highest.get() as { number: number };
    const numbered = { ...record, number: number + 1 };
    return insert.run(imports.toValues(numbered)).changes === 1 ? numbered : null;
  });
  return {
    async addImport(record) {
      let added: ImportRecord | null = null;
      writeUnlessTaken(() => {
        added = add.immediate(record);
        return true;
      });
      return added;
    },
    saveImport: async (record) =>
      writeUnlessTaken(
        () => replace.run([...imports.toChanges(record), record.id, record.version - 1]).changes === 1,
      ),
    findImport: async (id) => imports.toRecordOrNull(one.get(id)),
    listImports: async (page) =>
      listPage(database, imports, { conditions: [], order: 'ORDER BY number DESC', page }),
    listRhythmic: async () => rhythmic.all().map(imports.toRecord),
    listImportsOf: async (dataset, limit = MOST) => ofDataset.all(dataset, limit).map(imports.toRecord),
    listLive: async () => live.all() as LiveImport[],
    listLiveOf: async (dataset, { skip, limit }) => liveOf.all(dataset, limit, skip).map(imports.toRecord),
    ...createEntryRepository(database),
  };
}
