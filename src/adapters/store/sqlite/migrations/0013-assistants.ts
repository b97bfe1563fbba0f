/** Assistants that registered themselves, what people let them do, and which tenants they may ask for. */
export const assistants = `
  ALTER TABLE tenants ADD COLUMN has_assistants INTEGER NOT NULL DEFAULT 1;
  CREATE TABLE assistant_clients (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT;
  CREATE TABLE assistant_grants (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    admin_id TEXT NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    client_name TEXT NOT NULL,
    client_name_folded TEXT NOT NULL,
    resource TEXT NOT NULL,
    access_hash TEXT NOT NULL UNIQUE,
    access_expires_at INTEGER NOT NULL,
    refresh_hash TEXT NOT NULL UNIQUE,
    family_hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX assistant_grants_by_tenant ON assistant_grants (tenant_id);
  CREATE INDEX assistant_grants_by_admin ON assistant_grants (admin_id);
  CREATE INDEX assistant_grants_by_end ON assistant_grants (expires_at);`;
