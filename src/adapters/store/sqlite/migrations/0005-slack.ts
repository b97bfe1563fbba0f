/** Where the Slack app is installed, and what is kept of people besides their shelves. */
export const slack = `
  CREATE TABLE slack_installations (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    enterprise_id TEXT,
    app_id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    bot_user_id TEXT NOT NULL,
    scopes TEXT NOT NULL,
    installed_by TEXT NOT NULL,
    installed_at INTEGER NOT NULL,
    name_folded TEXT NOT NULL,
    search_text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX slack_installations_by_tenant ON slack_installations (tenant_id);

  CREATE TABLE people (
    tenant_id TEXT NOT NULL REFERENCES tenants,
    person TEXT NOT NULL,
    shelf_person TEXT NOT NULL,
    preferences TEXT NOT NULL,
    recent_searches TEXT NOT NULL,
    saved_searches TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, person)
  ) STRICT;
  CREATE INDEX people_by_shelf ON people (tenant_id, shelf_person, person);`;
