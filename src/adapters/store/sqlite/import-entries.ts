import type Database from 'libsql';
import { type EntryPart, type EntryPlace, type ImportEntries, importEntryRecords } from '#ports/store/store';
import { prepareLater } from './database.ts';
import { createRecordStatements } from './records.ts';
import { type SqlValue, tableOf } from './table.ts';

const entries = tableOf(importEntryRecords);
const { toSql, toRecord, toValues } = entries;

/** Limit of a body in characters: reading a larger one of an older version blocks the host. */
const MAX_BODY = 1_000_000;
const PAGE_CHARS = 1_000_000;
const WITHOUT_BODY = 'dataset, kind, key, part, import_number, state, hash, NULL AS body';
const BODY = `CASE WHEN octet_length(body) > ${MAX_BODY} THEN '{}' ELSE body END AS body`;
const WITH_BODY = `dataset, kind, key, part, import_number, state, hash, ${BODY}`;
const AFTER = 'dataset = ? AND (kind, key, part, import_number) > (?, ?, ?, ?)';
const IN_ORDER = 'ORDER BY kind, key, part, import_number LIMIT ?';
/** Selects entries of parts. Their list comes first, so that each is found by the index. */
const ofParts = (body: string) => `SELECT dataset, kind, import_entries.key, part, import_number, state, hash, ${body}
  FROM json_each(?) AS wanted CROSS JOIN import_entries
  WHERE dataset = ? AND kind = wanted.value ->> 0 AND import_entries.key = wanted.value ->> 1 AND part = wanted.value ->> 2`;

/** Keys arrive in no order, so each batch touches the whole index: with small limits, most pages
 *  would be written a thousand times. The cache has at most 32 MB. The log grows to 8 MB before its
 *  pages are written back, which blocks the host. */
const PAGES_HELD_KIB = 32_000;
const PAGES_IN_LOG = 2_000;
/** Maximum number of entries of a page, as reading them blocks the host. */
const MAX_ENTRIES = 100;
/** Limits of a transaction. The host answers other requests between two of them. */
const STEP_WRITES = 200;
const STEP_MS = 20;

export function createImportEntries(database: Database.Database): ImportEntries {
  database.pragma(`cache_size = -${PAGES_HELD_KIB}`);
  database.pragma(`wal_autocheckpoint = ${PAGES_IN_LOG}`);
  const sql = prepareEntryStatements(database);
  return {
    putEntries: (added) => writeInSteps(database, added, (entry) => sql.put.run(toValues(entry))),
    findEntries: async (dataset, parts, { withBodies } = { withBodies: false }) =>
      (withBodies ? sql.find : sql.findPlaces).all(JSON.stringify(parts.map(toEntryValues)), dataset).map(toRecord),
    findEntriesOf: async (number, limit) => sql.findOfImport.all(toSql('importNumber', number), limit).map(toRecord),
    async readEntries({ dataset, after, limit, chars = PAGE_CHARS, withBodies }) {
      const entryLimit = Math.min(limit, MAX_ENTRIES);
      // The place before all entries, as no kind is the empty text.
      const place = [dataset, ...(after === null ? ['', '', '', ''] : toEntryOrder(after))];
      if (!withBodies) return sql.readPlaces.all([...place, entryLimit]).map(toRecord);
      const sizes = sql.measure.all([...place, entryLimit]) as { readonly size: number | null }[];
      return sql.read.all([...place, countFittingEntries(sizes, chars)]).map(toRecord);
    },
    removeEntries: (places) =>
      writeInSteps(database, places, (place) => sql.remove.run([place.dataset, ...toEntryOrder(place)])),
    async removeEntriesOf(number, limit, state) {
      const importNumber = toSql('importNumber', number);
      const rows =
        state === undefined
          ? sql.findRows.all(importNumber, limit)
          : sql.findRowsInState.all(importNumber, state, limit);
      await writeInSteps(database, rows as { readonly id: number }[], ({ id }) => sql.removeRow.run(id));
      return rows.length;
    },
  };
}

function prepareEntryStatements(database: Database.Database) {
  const select = (columns: string) =>
    prepareLater(database, `SELECT ${columns} FROM import_entries WHERE ${AFTER} ${IN_ORDER}`);
  const ofImport = 'SELECT rowid AS id FROM import_entries WHERE import_number = ?';
  return {
    put: prepareLater(database, createRecordStatements(entries).upsert),
    find: prepareLater(database, ofParts(BODY)),
    findPlaces: prepareLater(database, ofParts('NULL AS body')),
    findOfImport: prepareLater(
      database,
      `SELECT ${WITHOUT_BODY} FROM import_entries WHERE import_number = ? AND state IN ('put', 'removed') LIMIT ?`,
    ),
    read: select(WITH_BODY),
    readPlaces: select(WITHOUT_BODY),
    measure: select('octet_length(body) AS size'),
    remove: prepareLater(
      database,
      'DELETE FROM import_entries WHERE dataset = ? AND kind = ? AND key = ? AND part = ? AND import_number = ?',
    ),
    findRows: prepareLater(database, `${ofImport} LIMIT ?`),
    findRowsInState: prepareLater(database, `${ofImport} AND state = ? LIMIT ?`),
    removeRow: prepareLater(database, 'DELETE FROM import_entries WHERE rowid = ?'),
  };
}

/** Writes items in transactions that are limited by number and time. Imported content is not
 *  secret: erased content is not overwritten, which would take ten times as long. */
async function writeInSteps<T>(
  database: Database.Database,
  items: readonly T[],
  write: (item: T) => void,
): Promise<void> {
  const writeStep = database.transaction((start: number) => {
    const until = performance.now() + STEP_MS;
    let next = start;
    while (next < Math.min(items.length, start + STEP_WRITES) && (next === start || performance.now() < until))
      write(items[next++] as T);
    return next;
  });
  for (let next = 0; next < items.length; ) {
    if (next > 0) await new Promise((resolve) => setImmediate(resolve));
    database.pragma('secure_delete = FAST');
    try {
      next = writeStep.immediate(next);
    } finally {
      database.pragma('secure_delete = ON');
    }
  }
}

/** Counts the entries whose bodies fit into a page; at least one. */
function countFittingEntries(sizes: readonly { readonly size: number | null }[], chars: number): number {
  let total = 0;
  const over = sizes.findIndex(({ size }) => {
    total += size !== null && size <= MAX_BODY ? size : 0;
    return total > chars;
  });
  return over < 0 ? sizes.length : Math.max(over, 1);
}

const toEntryOrder = (place: EntryPlace): SqlValue[] => [
  toSql('kind', place.kind),
  place.key,
  place.part,
  toSql('importNumber', place.importNumber),
];

const toEntryValues = (part: EntryPart): SqlValue[] => [toSql('kind', part.kind), part.key, part.part];
