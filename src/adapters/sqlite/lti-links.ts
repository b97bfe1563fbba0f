import type Database from 'libsql';
import type { LtiLinkRecord, PlacementRepository } from '../../ports/store/store.ts';
import { instant, nullable, text } from './columns.ts';
import { defineTable } from './table.ts';

export const ltiLinks = defineTable<LtiLinkRecord>('lti_links', {
  columns: {
    id: text(),
    tenantId: text(),
    registrationId: text(),
    deploymentId: text(),
    contextId: nullable(text()),
    resourceLinkId: text(),
    placementId: text(),
    firstOpenedAt: instant,
  },
});

type LtiLinks = Pick<PlacementRepository, 'openLink' | 'findLink' | 'replaceLinkPlacement'>;

export function createLtiLinks(database: Database.Database): LtiLinks {
  // What is there is set to what it is, because RETURNING gives only rows that were written.
  const open = database.prepare(
    `${ltiLinks.insert} ON CONFLICT (id) DO UPDATE SET id = id RETURNING ${ltiLinks.fields}`,
  );
  const one = database.prepare(ltiLinks.select('WHERE tenant_id = ? AND id = ?'));
  const replace = database.prepare('UPDATE lti_links SET placement_id = ? WHERE tenant_id = ? AND id = ?');
  return {
    openLink: async (record) => ltiLinks.toRecord(open.get(ltiLinks.toValues(record))),
    findLink: async (tenantId, id) => ltiLinks.toRecordOrNull(one.get(tenantId, id)),
    replaceLinkPlacement: async (tenantId, linkId, placementId) =>
      replace.run(placementId, tenantId, linkId).changes === 1,
  };
}
