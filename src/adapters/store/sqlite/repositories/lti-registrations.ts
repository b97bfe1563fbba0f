import type Database from 'libsql';
import { foldText, foldTexts } from '../../../../domain/text.ts';
import type {
  LtiDeploymentRecord,
  LtiRegistrationRecord,
  LtiRegistrationRepository,
} from '../../../../ports/store/store.ts';
import { flag, instant, integer, json, nullable, text } from '../columns.ts';
import { writeUnlessTaken } from '../database.ts';
import { listPage, matchListScope, matchListText, orderListBy } from '../list-page.ts';
import { defineTable } from '../table.ts';

export const ltiRegistrations = defineTable<LtiRegistrationRecord>('lti_registrations', {
  columns: {
    id: text(),
    tenantId: text(),
    issuer: text(),
    clientId: text(),
    name: text(),
    product: text(),
    authorizationEndpoint: text(),
    tokenEndpoint: text(),
    tokenAudience: nullable(text()),
    jwksUri: text(),
    acceptsNewDeployments: flag,
    status: text(),
    origin: text(),
    keyId: text(),
    publicKey: json(),
    createdAt: instant,
    updatedAt: instant,
    version: integer,
  },
  derived: {
    name_folded: ({ name }) => foldText(name),
    search_text: ({ name, issuer, clientId }) => foldTexts(name, issuer, clientId),
  },
});

const sortColumns = { createdAt: 'created_at', name: 'name_folded' } as const;

export function createLtiRegistrationRepository(database: Database.Database): LtiRegistrationRepository {
  const insert = database.prepare(ltiRegistrations.insert);
  const byId = database.prepare(ltiRegistrations.select('WHERE id = ?'));
  const byClient = database.prepare(ltiRegistrations.select('WHERE issuer = ? AND client_id = ?'));
  const ofIssuer = database.prepare(ltiRegistrations.select('WHERE issuer = ? ORDER BY id LIMIT 100'));
  const replace = database.prepare(`${ltiRegistrations.update} WHERE id = ? AND version = ?`);
  const everyKey = database.prepare(ltiRegistrations.select('ORDER BY id LIMIT 1000'));
  const remove = database.prepare('DELETE FROM lti_registrations WHERE id = ?');
  const { toRecord, toRecordOrNull, toValues, toChanges } = ltiRegistrations;
  return {
    ...createLtiDeployments(database),
    addRegistration: async (record) => writeUnlessTaken(() => insert.run(toValues(record)).changes === 1),
    findRegistration: async (id) => toRecordOrNull(byId.get(id)),
    findRegistrationOfClient: async (issuer, clientId) => toRecordOrNull(byClient.get(issuer, clientId)),
    listRegistrationsOfIssuer: async (issuer) => ofIssuer.all(issuer).map(toRecord),
    replaceRegistration: async (record) =>
      writeUnlessTaken(
        () => replace.run([...toChanges(record), record.id, record.version - 1]).changes === 1,
      ),
    listRegistrations: async (request) =>
      listPage(database, ltiRegistrations, {
        conditions: [...matchListScope(request.scope), ...matchListText('search_text', request.search)],
        order: orderListBy(sortColumns[request.sort], request.descending),
        page: request,
      }),
    listPublicKeys: async () =>
      everyKey
        .all()
        .map(toRecord)
        .map(({ keyId, publicKey }) => ({ keyId, publicKey })),
    removeRegistration: async (id) => remove.run(id).changes === 1,
  };
}

export const ltiDeployments = defineTable<LtiDeploymentRecord>('lti_deployments', {
  columns: { registrationId: text(), deploymentId: text(), tenantId: text(), firstSeenAt: instant },
  key: ['registrationId', 'deploymentId'],
});

type LtiDeployments = Pick<
  LtiRegistrationRepository,
  'addDeployment' | 'findDeployment' | 'listDeployments' | 'removeDeployment'
>;

const isWanted = 'WHERE registration_id = ? AND deployment_id = ?';

function createLtiDeployments(database: Database.Database): LtiDeployments {
  const insert = database.prepare(
    `INSERT INTO lti_deployments (${ltiDeployments.columns.join(', ')})
     SELECT ?, ?, ?, ? FROM lti_registrations WHERE id = ?`,
  );
  const one = database.prepare(ltiDeployments.select(isWanted));
  const remove = database.prepare(`DELETE FROM lti_deployments ${isWanted}`);
  return {
    addDeployment: async (record) =>
      writeUnlessTaken(
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
