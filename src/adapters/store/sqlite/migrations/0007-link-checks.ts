/** What is known of the addresses of learning objects. */
export const linkChecks = `
  CREATE TABLE link_checks (
    url TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    checked_at INTEGER NOT NULL,
    since INTEGER NOT NULL,
    status INTEGER,
    reason TEXT,
    failures INTEGER NOT NULL,
    search_text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX link_checks_by_state ON link_checks (state, since, url);
  CREATE INDEX link_checks_by_address ON link_checks (state, url);`;
