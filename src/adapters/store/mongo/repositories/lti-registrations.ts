import type { Connection } from 'mongoose';
import { toRecordKey } from '../../../../domain/record-key.ts';
import { foldText, foldTexts } from '../../../../domain/text.ts';
import type {
  LtiDeploymentRecord,
  LtiRegistrationRecord,
  LtiRegistrationRepository,
} from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { writeUnlessTaken } from '../failures.ts';
import { flag, instant, integer, json, text } from '../fields.ts';
import { listOrderIndexes, listPage, matchListScope, matchListText, orderListBy } from '../list-page.ts';

const MAX_OF_ISSUER = 100;
const MAX_KEYS = 1_000;
const sorts = { createdAt: ['createdAt'], name: ['derived.name'] } as const;

export const ltiRegistrations = defineCollection<LtiRegistrationRecord>('ltiRegistrations', {
  fields: {
    tenantId: text,
    issuer: text,
    clientId: text,
    name: text,
    product: text,
    authorizationEndpoint: text,
    tokenEndpoint: text,
    tokenAudience: text,
    jwksUri: text,
    acceptsNewDeployments: flag,
    status: text,
    origin: text,
    keyId: text,
    publicKey: json,
    createdAt: instant,
    updatedAt: instant,
    version: integer,
  },
  derived: {
    name: { field: text, of: ({ name }) => foldText(name) },
    search: { field: text, of: ({ name, issuer, clientId }) => foldTexts(name, issuer, clientId) },
  },
  indexes: [
    { key: { issuer: 1, clientId: 1 }, unique: true },
    { key: { issuer: 1, _id: 1 } },
    { key: { tenantId: 1 } },
    ...listOrderIndexes(sorts),
  ],
});

export function createLtiRegistrationRepository(connection: Connection): LtiRegistrationRepository {
  const model = openCollection(connection, ltiRegistrations);
  const deployments = openCollection(connection, ltiDeployments);
  const { toDocument, toRecord, toRecordOrNull } = ltiRegistrations;
  const find = async (wanted: object) => toRecordOrNull(await model.findOne(wanted).lean<Document | null>());
  return {
    ...createLtiDeployments(connection, async (id) => (await model.exists({ _id: id })) !== null),
    addRegistration: (record) =>
      writeUnlessTaken(async () => {
        await model.insertOne(toDocument(record));
        return true;
      }),
    findRegistration: (id) => find({ _id: id }),
    findRegistrationOfClient: (issuer, clientId) => find({ issuer, clientId }),
    async listRegistrationsOfIssuer(issuer) {
      const found = model.find({ issuer }).sort({ _id: 1 }).limit(MAX_OF_ISSUER);
      return (await found.lean<Document[]>()).map(toRecord);
    },
    replaceRegistration: (record) =>
      writeUnlessTaken(async () => {
        const before = { _id: record.id, version: record.version - 1 };
        return (await model.replaceOne(before, toDocument(record))).matchedCount === 1;
      }),
    listRegistrations: (request) =>
      listPage(model, ltiRegistrations, {
        conditions: [...matchListScope(request.scope), ...matchListText('derived.search', request.search)],
        order: orderListBy(sorts[request.sort], request.descending),
        page: request,
      }),
    async listPublicKeys() {
      const found = model.find({}, { keyId: 1, publicKey: 1 }).sort({ _id: 1 }).limit(MAX_KEYS);
      const records = (await found.lean<Document[]>()).map(toRecord);
      return records.map(({ keyId, publicKey }) => ({ keyId, publicKey }));
    },
    async removeRegistration(id) {
      const { deletedCount } = await model.deleteOne({ _id: id });
      // Also where there was none: repeating an interrupted removal finishes it.
      await deployments.deleteMany({ registrationId: id });
      return deletedCount === 1;
    },
  };
}

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

function createLtiDeployments(
  connection: Connection,
  isRegistered: (registrationId: string) => Promise<boolean>,
): LtiDeployments {
  const model = openCollection(connection, ltiDeployments);
  return {
    async addDeployment(record) {
      const isAdded = await writeUnlessTaken(async () => {
        await model.insertOne(ltiDeployments.toDocument(record));
        return true;
      });
      // Checked afterwards: a registration is removed before its deployments, so one of the two sides removes this one.
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
        order: orderListBy(['firstSeenAt'], true),
        page,
      }),
    removeDeployment: async (registrationId, deploymentId) =>
      (await model.deleteOne({ _id: keyOf({ registrationId, deploymentId }) })).deletedCount === 1,
  };
}
