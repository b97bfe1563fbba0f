import type Database from 'libsql';
import type { LtiDeploymentRecord, LtiRegistrationRepository } from '../../ports/store/store.ts';
import { instant, text } from './columns.ts';
import { unlessTaken } from './database.ts';
import { listPage } from './list-page.ts';
import { defineTable } from './table.ts';

export const ltiDeployments = defineTable<LtiDeploymentRecord>('lti_deployments', {
  columns: { registrationId: text(), deploymentId: text(), tenantId: text(), firstSeenAt: instant },
  key: ['registrationId', 'deploymentId'],
});

type LtiDeployments = Pick<
  LtiRegistrationRepository,
  'addDeployment' | 'findDeployment' | 'listDeployments' | 'removeDeployment'
>;

const isWanted = 'WHERE registration_id = ? AND deployment_id = ?';

export function createLtiDeployments(database: Database.Database): LtiDeployments {
  const insert = database.prepare(
    `INSERT INTO lti_deployments (${ltiDeployments.columns.join(', ')})
     SELECT ?, ?, ?, ? FROM lti_registrations WHERE id = ?`,
  );
  const one = database.prepare(ltiDeployments.select(isWanted));
  const remove = database.prepare(`DELETE FROM lti_deployments ${isWanted}`);
  return {
    addDeployment: async (record) =>
      unlessTaken(
        () => insert.run([...ltiDeployments.toValues(record), record.registrationId]).changes === 1,
      ),
    findDeployment: async (registrationId, deploymentId) =>
      ltiDeployments.toRecordOrNull(one.get(registrationId, deploymentId)),
    listDeployments: async (registrationId, page) =>
      listPage(database, ltiDeployments, {
        conditions: [{ sql: 'registration_id = ?', values: [registrationId] }],
        order: 'ORDER BY first_seen_at DESC, deployment_id',
        page,
      }),
    removeDeployment: async (registrationId, deploymentId) =>
      remove.run(registrationId, deploymentId).changes === 1,
  };
}
