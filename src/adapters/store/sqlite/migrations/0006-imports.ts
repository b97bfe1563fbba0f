/** What was imported. Entries are kept in the order in which they come, and found by their keys: a table in the order of the
 *  keys would have to move whole bodies about. Kinds are numbers, and numbers of imports have all their digits, so that they
 *  are in their order as texts. */
export const imports = `
  CREATE TABLE imports (
    id TEXT PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE,
    format TEXT NOT NULL,
    dataset TEXT NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    actor TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    alive_until INTEGER NOT NULL,
    fingerprint TEXT,
    position TEXT,
    done INTEGER NOT NULL,
    total INTEGER,
    unit TEXT NOT NULL,
    counts TEXT NOT NULL,
    rejected TEXT NOT NULL,
    problem TEXT,
    is_undoable INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX imports_by_dataset ON imports (dataset, number);
  CREATE INDEX imports_live ON imports (number, dataset, id) WHERE state = 'live';
  CREATE UNIQUE INDEX imports_running ON imports (dataset) WHERE state = 'running';

  CREATE TABLE import_entries (
    dataset TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    part TEXT NOT NULL,
    import_number TEXT NOT NULL,
    state TEXT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT,
    PRIMARY KEY (dataset, kind, key, part, import_number)
  ) STRICT;
  CREATE INDEX import_entries_by_import ON import_entries (import_number, state);`;
