/** What becomes of addresses that die while they are in courses. */
export const deadLinks = `
  ALTER TABLE link_checks ADD COLUMN moved_to TEXT;
  ALTER TABLE link_checks ADD COLUMN etag TEXT;
  ALTER TABLE link_checks ADD COLUMN last_modified TEXT;
  ALTER TABLE placements ADD COLUMN url TEXT;
  UPDATE placements SET url = json_extract(object, '$.url');
  CREATE INDEX placements_by_url ON placements (url, tenant_id);
  CREATE INDEX lti_links_by_placement ON lti_links (tenant_id, placement_id);
  CREATE TABLE link_mends (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    url TEXT NOT NULL,
    kind TEXT NOT NULL,
    made_by TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    undone_at INTEGER,
    reason TEXT,
    since INTEGER NOT NULL,
    object TEXT,
    changes TEXT NOT NULL,
    by_url TEXT
  ) STRICT;
  CREATE INDEX link_mends_by_url ON link_mends (url, made_at);
  CREATE INDEX link_mends_by_replacement ON link_mends (tenant_id, by_url, made_at);`;
