/** What administrators change of single objects, and how a tenant takes suggestions. */
export const objectLayers = `
  ALTER TABLE tenants ADD COLUMN suggestions TEXT NOT NULL DEFAULT 'approval';
  CREATE TABLE object_changes (
    tenant_id TEXT NOT NULL,
    address TEXT NOT NULL,
    url TEXT NOT NULL,
    state TEXT NOT NULL,
    before TEXT,
    suggested_by TEXT,
    changed_by TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, address)
  ) STRICT;
  CREATE INDEX object_changes_versions ON object_changes (tenant_id, version, changed_at);`;
