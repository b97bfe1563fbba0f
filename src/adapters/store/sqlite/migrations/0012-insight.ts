/** What was searched for and used, without persons. */
export const insight = `
  CREATE TABLE insight (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    day TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    asked INTEGER NOT NULL,
    poor INTEGER NOT NULL,
    empty INTEGER NOT NULL,
    unopened INTEGER NOT NULL,
    opened INTEGER NOT NULL,
    placed INTEGER NOT NULL,
    finished INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, day, kind, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX insight_by_name ON insight (tenant_id, kind, name);
  CREATE INDEX insight_by_day ON insight (day);
  CREATE TABLE insight_waiting (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    mark TEXT NOT NULL,
    people TEXT NOT NULL,
    asked INTEGER NOT NULL,
    poor INTEGER NOT NULL,
    empty INTEGER NOT NULL,
    unopened INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, mark)
  ) STRICT, WITHOUT ROWID;`;
