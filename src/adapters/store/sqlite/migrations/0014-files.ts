/** Files that hosts share. */
export const files = `
  CREATE TABLE files (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    about TEXT NOT NULL,
    whole TEXT NOT NULL
  ) STRICT;
  CREATE TABLE file_parts (
    file_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (file_id, number)
  ) STRICT, WITHOUT ROWID;`;
