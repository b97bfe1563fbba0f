/** A deployment goes with its registration. What was placed by a registration stays when that is removed, and so does what
 *  learners did with it. Most scores are delivered, and nobody looks for those except by id. */
export const lti = `
  CREATE TABLE lti_registrations (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants,
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    name TEXT NOT NULL,
    product TEXT NOT NULL,
    authorization_endpoint TEXT NOT NULL,
    token_endpoint TEXT NOT NULL,
    token_audience TEXT,
    jwks_uri TEXT NOT NULL,
    accepts_new_deployments INTEGER NOT NULL,
    status TEXT NOT NULL,
    origin TEXT NOT NULL,
    key_id TEXT NOT NULL,
    public_key TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    name_folded TEXT NOT NULL,
    search_text TEXT NOT NULL,
    UNIQUE (issuer, client_id)
  ) STRICT;
  CREATE INDEX lti_registrations_by_issuer ON lti_registrations (issuer, id);
  CREATE INDEX lti_registrations_by_tenant ON lti_registrations (tenant_id);

  CREATE TABLE lti_deployments (
    registration_id TEXT NOT NULL REFERENCES lti_registrations ON DELETE CASCADE,
    deployment_id TEXT NOT NULL,
    tenant_id TEXT NOT NULL REFERENCES tenants,
    first_seen_at INTEGER NOT NULL,
    PRIMARY KEY (registration_id, deployment_id)
  ) STRICT;
  CREATE INDEX lti_deployments_by_time ON lti_deployments (registration_id, first_seen_at DESC, deployment_id);
  CREATE INDEX lti_deployments_by_tenant ON lti_deployments (tenant_id);

  CREATE TABLE placements (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants,
    registration_id TEXT NOT NULL,
    context_id TEXT,
    person TEXT NOT NULL,
    object TEXT NOT NULL,
    address TEXT NOT NULL,
    request_id TEXT,
    title TEXT NOT NULL,
    completion TEXT NOT NULL,
    points INTEGER,
    placed_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX placements_by_course ON placements (tenant_id, registration_id, context_id, placed_at DESC, id);
  CREATE INDEX placements_by_time ON placements (tenant_id, placed_at DESC, id, person);

  CREATE TABLE lti_links (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants,
    registration_id TEXT NOT NULL,
    deployment_id TEXT NOT NULL,
    context_id TEXT,
    resource_link_id TEXT NOT NULL,
    placement_id TEXT NOT NULL,
    first_opened_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX lti_links_by_tenant ON lti_links (tenant_id);

  CREATE TABLE activity (
    tenant_id TEXT NOT NULL REFERENCES tenants,
    link_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    first_opened_at INTEGER NOT NULL,
    last_opened_at INTEGER NOT NULL,
    completed_at INTEGER,
    verdict TEXT,
    verdict_placement_id TEXT,
    PRIMARY KEY (tenant_id, link_id, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX activity_by_time ON activity (tenant_id, link_id, last_opened_at DESC, user_id);

  CREATE TABLE scores (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants,
    registration_id TEXT NOT NULL,
    link_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    line_item TEXT NOT NULL,
    points INTEGER NOT NULL,
    earned_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    leased_until INTEGER,
    last_error TEXT
  ) STRICT;
  CREATE INDEX scores_by_tenant ON scores (tenant_id);
  CREATE INDEX scores_due ON scores (registration_id, due_at, id, leased_until) WHERE state = 'waiting';
  CREATE INDEX scores_undelivered ON scores (tenant_id, registration_id, state) WHERE state <> 'delivered';
  CREATE INDEX scores_undelivered_of_link ON scores (tenant_id, link_id, state) WHERE state <> 'delivered';

  -- A launch is long. In a table without row ids, which suits short rows only, adding one took twice as long.
  CREATE TABLE nonces_by_row (
    nonce TEXT PRIMARY KEY,
    data TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO nonces_by_row SELECT nonce, data, expires_at FROM nonces;
  DROP TABLE nonces;
  ALTER TABLE nonces_by_row RENAME TO nonces;
  CREATE INDEX nonces_by_end ON nonces (expires_at);`;
