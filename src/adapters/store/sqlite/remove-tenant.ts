import type Database from 'libsql';

/** Tables with records of a tenant. */
const owned = [
  'secrets',
  'api_keys',
  'feedback',
  'audit_entries',
  'usage_counts',
  'shelf',
  'lti_deployments',
  'lti_registrations',
  'link_mends',
  'placements',
  'lti_links',
  'activity',
  'scores',
  'slack_installations',
  'people',
  'object_changes',
  'insight',
  'insight_waiting',
  'assistant_grants',
] as const;

const isInScope = 'EXISTS (SELECT 1 FROM json_each(tenants) WHERE value = :id)';
const scopeWithout = '(SELECT json_group_array(value) FROM json_each(tenants) WHERE value <> :id)';

const statements: readonly string[] = [
  ...owned.map((table) => `DELETE FROM ${table} WHERE tenant_id = :id`),
  `UPDATE admins SET tenants = ${scopeWithout}, version = version + 1 WHERE ${isInScope}`,
  `UPDATE admin_links SET tenants = ${scopeWithout} WHERE ${isInScope}`,
  'DELETE FROM tenants WHERE id = :id',
];

/** Removes everything of a tenant in one transaction, so that nobody sees it half done and no crash interrupts it. */
export function createTenantRemoval(database: Database.Database): (id: string) => void {
  const prepared = statements.map((sql) => database.prepare(sql));
  const remove = database.transaction((id: string) => {
    for (const statement of prepared) statement.run({ id });
  });
  return (id) => remove.immediate(id);
}
