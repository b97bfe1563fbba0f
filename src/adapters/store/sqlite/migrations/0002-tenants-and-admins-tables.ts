/** Columns called `…_folded` and `search_text` are what `foldText` makes of others. */
export const tables = `
  CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    upstream TEXT NOT NULL,
    defaults TEXT NOT NULL,
    branding TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    name_folded TEXT NOT NULL,
    search_text TEXT NOT NULL
  ) STRICT;

  CREATE TABLE secrets (
    tenant_id TEXT NOT NULL REFERENCES tenants,
    name TEXT NOT NULL,
    bound_to TEXT NOT NULL,
    sealed TEXT NOT NULL,
    last_four TEXT,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants,
    name TEXT NOT NULL,
    key_hash TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    per_second INTEGER NOT NULL,
    per_day INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER,
    name_folded TEXT NOT NULL
  ) STRICT;
  CREATE INDEX api_keys_by_tenant ON api_keys (tenant_id);

  CREATE TABLE feedback (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants,
    url TEXT NOT NULL,
    comment TEXT,
    request_id TEXT NOT NULL,
    email TEXT NOT NULL,
    source TEXT NOT NULL,
    provider TEXT,
    received_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    last_error TEXT,
    destination TEXT,
    url_folded TEXT NOT NULL,
    search_text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX feedback_by_time ON feedback (received_at, id);
  CREATE INDEX feedback_by_tenant ON feedback (tenant_id, received_at, id);
  CREATE INDEX feedback_by_provider ON feedback (provider, tenant_id);
  CREATE INDEX feedback_due ON feedback (due_at, id) WHERE state = 'waiting';

  CREATE TABLE audit_entries (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    tenant_id TEXT,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    details TEXT NOT NULL,
    search_text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_entries_by_time ON audit_entries (at, id);
  CREATE INDEX audit_entries_by_tenant ON audit_entries (tenant_id, at, id);

  CREATE TABLE admins (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    password_hash TEXT,
    oidc_subject TEXT UNIQUE,
    role TEXT NOT NULL,
    tenants TEXT,
    created_at INTEGER NOT NULL,
    last_sign_in_at INTEGER,
    sessions_valid_from INTEGER NOT NULL,
    version INTEGER NOT NULL,
    name_folded TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE admin_links (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    admin_id TEXT,
    role TEXT NOT NULL,
    tenants TEXT,
    created_by TEXT NOT NULL,
    created_by_id TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE admin_sessions (
    id TEXT PRIMARY KEY,
    admin_id TEXT NOT NULL REFERENCES admins ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    address TEXT,
    user_agent TEXT
  ) STRICT;
  CREATE INDEX admin_sessions_by_admin ON admin_sessions (admin_id, last_seen_at);
  CREATE INDEX admin_sessions_by_end ON admin_sessions (expires_at);

  CREATE TABLE usage_counts (
    tenant_id TEXT NOT NULL REFERENCES tenants,
    day TEXT NOT NULL,
    metric TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, day, metric)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_counts_by_day ON usage_counts (day);

  CREATE TABLE rate_windows (
    name TEXT PRIMARY KEY,
    points INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX rate_windows_by_end ON rate_windows (expires_at);

  CREATE TABLE nonces (
    nonce TEXT PRIMARY KEY,
    data TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX nonces_by_end ON nonces (expires_at);`;
