import type { Connection } from 'mongoose';
import { toRecordKey } from '../../domain/record-key.ts';
import type { LtiDeploymentRecord, LtiRegistrationRepository } from '../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from './collection.ts';
import { unlessTaken } from './failures.ts';
import { instant, text } from './fields.ts';
import { listPage, orderBy } from './list-page.ts';

type DeploymentKey = Pick<LtiDeploymentRecord, 'registrationId' | 'deploymentId'>;

const keyOf = ({ registrationId, deploymentId }: DeploymentKey) =>
  toRecordKey([registrationId, deploymentId]);

export const ltiDeployments = defineCollection<LtiDeploymentRecord>('ltiDeployments', {
  fields: { registrationId: text, deploymentId: text, tenantId: text, firstSeenAt: instant },
  key: keyOf,
  indexes: [{ key: { registrationId: 1, firstSeenAt: -1, _id: 1 } }, { key: { tenantId: 1 } }],
});

type LtiDeployments = Pick<
  LtiRegistrationRepository,
  'addDeployment' | 'findDeployment' | 'listDeployments' | 'removeDeployment'
>;

export function createLtiDeployments(
  connection: Connection,
  isRegistered: (registrationId: string) => Promise<boolean>,
): LtiDeployments {
  const model = openCollection(connection, ltiDeployments);
  return {
    async addDeployment(record) {
      const isAdded = await unlessTaken(async () => {
        await model.insertOne(ltiDeployments.toDocument(record));
        return true;
      });
      // Asked afterwards: a registration is removed before its deployments, so that either side takes this one away.
      if (!isAdded || (await isRegistered(record.registrationId))) return isAdded;
      await model.deleteOne({ _id: keyOf(record) });
      return false;
    },
    async findDeployment(registrationId, deploymentId) {
      const found = model.findOne({ _id: keyOf({ registrationId, deploymentId }) });
      return ltiDeployments.toRecordOrNull(await found.lean<Document | null>());
    },
    listDeployments: (registrationId, page) =>
      listPage(model, ltiDeployments, {
        conditions: [{ registrationId }],
        order: orderBy(['firstSeenAt'], true),
        page,
      }),
    removeDeployment: async (registrationId, deploymentId) =>
      (await model.deleteOne({ _id: keyOf({ registrationId, deploymentId }) })).deletedCount === 1,
  };
}
