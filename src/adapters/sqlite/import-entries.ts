import type Database from 'libsql';
import { type CatalogKind, catalogKinds } from '../../domain/catalog.ts';
import type { EntryPart, EntryPlace, ImportEntry, ImportRepository } from '../../ports/store/store.ts';
import { type Column, json, nullable, type SqlValue, text } from './columns.ts';
import { defineTable } from './table.ts';

/** Its place in the list: so they are in their order. */
const kind: Column<CatalogKind> = {
  toSql: (value) => `${catalogKinds.indexOf(value)}`,
  fromSql(stored) {
    const kind = catalogKinds[Number(stored)];
    if (kind === undefined) throw new Error(`no kind of record has the number ${stored}`);
    return kind;
  },
};

const DIGITS = 9;

const importNumber: Column<number> = {
  toSql: (value) => `${value}`.padStart(DIGITS, '0'),
  fromSql: Number,
};

export const importEntries = defineTable<ImportEntry>('import_entries', {
  columns: {
    dataset: text(),
    kind,
    key: text(),
    part: text(),
    importNumber,
    state: text(),
    hash: text(),
    body: nullable(json()),
  },
  key: ['dataset', 'kind', 'key', 'part', 'importNumber'],
});

type EntryRepository = Pick<
  ImportRepository,
  'putEntries' | 'findEntries' | 'readEntries' | 'removeEntries' | 'removeEntriesOf'
>;

const WITHOUT_BODY = 'dataset, kind, key, part, import_number, state, hash, NULL AS body';
const AFTER = 'dataset = ? AND (kind, key, part, import_number) > (?, ?, ?, ?)';
const IN_ORDER = 'ORDER BY kind, key, part, import_number LIMIT ?';
/** The list first, so that each of its items is one look into the index. */
const OF_PARTS = `SELECT dataset, kind, import_entries.key, part, import_number, state, hash, NULL AS body
  FROM json_each(?) AS wanted CROSS JOIN import_entries
  WHERE dataset = ? AND kind = wanted.value ->> 0 AND import_entries.key = wanted.value ->> 1 AND part = wanted.value ->> 2`;

/** Keys come in no order, so each batch touches the whole index: if pages were written back after each one, most would be written
 *  a thousand times. 32 MB of pages are held at most. Of the log 8 MB wait to be written back: the host stands still meanwhile. */
const PAGES_HELD_KIB = 32_000;
const PAGES_IN_LOG = 2_000;
/** Entries of one transaction. The host answers others between two. */
const STEP = 200;

export function createEntryRepository(database: Database.Database): EntryRepository {
  database.pragma(`cache_size = -${PAGES_HELD_KIB}`);
  database.pragma(`wal_autocheckpoint = ${PAGES_IN_LOG}`);
  const put = database.prepare(importEntries.upsert);
  const find = database.prepare(OF_PARTS);
  const read = database.prepare(importEntries.select(`WHERE ${AFTER} ${IN_ORDER}`));
  const readPlaces = database.prepare(
    `SELECT ${WITHOUT_BODY} FROM import_entries WHERE ${AFTER} ${IN_ORDER}`,
  );
  const remove = database.prepare(
    'DELETE FROM import_entries WHERE dataset = ? AND kind = ? AND key = ? AND part = ? AND import_number = ?',
  );
  const ofImport = 'SELECT rowid FROM import_entries WHERE import_number = ?';
  const removeAll = database.prepare(`DELETE FROM import_entries WHERE rowid IN (${ofImport} LIMIT ?)`);
  const removeState = database.prepare(
    `DELETE FROM import_entries WHERE rowid IN (${ofImport} AND state = ? LIMIT ?)`,
  );
  const putAll = database.transaction((entries: readonly ImportEntry[]) => {
    for (const entry of entries) put.run(importEntries.toValues(entry));
  });
  const removeEach = database.transaction((places: readonly EntryPlace[]) => {
    for (const place of places) remove.run([place.dataset, ...orderedBy(place)]);
  });
  return {
    putEntries: (entries) => inSteps(entries, (some) => putAll.immediate(some)),
    findEntries: async (dataset, parts) =>
      find.all(JSON.stringify(parts.map(asList)), dataset).map(importEntries.toRecord),
    async readEntries({ dataset, after, limit, withBodies }) {
      // Before all: no kind is the empty text.
      const start = after === null ? ['', '', '', ''] : orderedBy(after);
      return (withBodies ? read : readPlaces).all([dataset, ...start, limit]).map(importEntries.toRecord);
    },
    removeEntries: (places) => inSteps(places, (some) => removeEach.immediate(some)),
    async removeEntriesOf(number, limit, state) {
      const wanted = importNumber.toSql(number);
      if (state === undefined) return removeAll.run(wanted, limit).changes;
      return removeState.run(wanted, state, limit).changes;
    },
  };
}

async function inSteps<T>(all: readonly T[], write: (some: readonly T[]) => void): Promise<void> {
  for (let start = 0; start < all.length; start += STEP) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    write(all.slice(start, start + STEP));
  }
}

function orderedBy(place: EntryPlace): SqlValue[] {
  return [kind.toSql(place.kind), place.key, place.part, importNumber.toSql(place.importNumber)];
}

function asList(part: EntryPart): SqlValue[] {
  return [kind.toSql(part.kind), part.key, part.part];
}
