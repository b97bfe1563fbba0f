import type { Connection } from 'mongoose';
import type { StoreCollection, StoreTransfer, TransferRecord } from '../../../ports/store/store.ts';
import { type Collection, type Document, openCollection } from './collection.ts';
import { activity } from './repositories/activity.ts';
import { adminLinks, adminSessions, admins } from './repositories/admins.ts';
import { apiKeys } from './repositories/api-keys.ts';
import { assistantClients, assistantGrants } from './repositories/assistants.ts';
import { audit } from './repositories/audit.ts';
import { feedback } from './repositories/feedback-collection.ts';
import { importEntries } from './repositories/import-entries.ts';
import { imports } from './repositories/imports.ts';
import { insight } from './repositories/insight.ts';
import { linkChecks } from './repositories/link-checks.ts';
import { linkMends } from './repositories/link-mends.ts';
import { ltiDeployments, ltiRegistrations } from './repositories/lti-registrations.ts';
import { objectChanges } from './repositories/object-layers.ts';
import { people } from './repositories/people.ts';
import { ltiLinks, placements } from './repositories/placements.ts';
import { scores } from './repositories/scores.ts';
import { secrets } from './repositories/secrets.ts';
import { shelf } from './repositories/shelf.ts';
import { slackInstallations } from './repositories/slack-installations.ts';
import { tenants } from './repositories/tenants.ts';
import { usage } from './repositories/usage.ts';

type Plain = TransferRecord['record'];

const plain = <R extends object>(collection: Collection<R>) => collection as unknown as Collection<Plain>;

export const longLived: Readonly<Record<StoreCollection, Collection<Plain>>> = {
  tenants: plain(tenants),
  secrets: plain(secrets),
  apiKeys: plain(apiKeys),
  feedback: plain(feedback),
  audit: plain(audit),
  admins: plain(admins),
  adminLinks: plain(adminLinks),
  adminSessions: plain(adminSessions),
  usage: plain(usage),
  shelf: plain(shelf),
  ltiRegistrations: plain(ltiRegistrations),
  ltiDeployments: plain(ltiDeployments),
  placements: plain(placements),
  ltiLinks: plain(ltiLinks),
  activity: plain(activity),
  scores: plain(scores),
  slackInstallations: plain(slackInstallations),
  people: plain(people),
  imports: plain(imports),
  importEntries: plain(importEntries),
  linkChecks: plain(linkChecks),
  linkMends: plain(linkMends),
  objectChanges: plain(objectChanges),
  insight: plain(insight),
  assistantClients: plain(assistantClients),
  assistantGrants: plain(assistantGrants),
};

/** The key is the document's `_id`, and servers order texts by their UTF-8 bytes. */
export function createStoreTransfer(connection: Connection): StoreTransfer {
  return {
    async readRecords(name, after, limit) {
      const later = after === null ? {} : { _id: { $gt: after } };
      const model = openCollection(connection, longLived[name]);
      const found = await model.find(later).sort({ _id: 1 }).limit(limit).lean<Document[]>();
      return found.map((document) => ({ key: document._id, record: longLived[name].toRecord(document) }));
    },
    async writeRecords(name, records) {
      if (records.length === 0) return;
      const replacements = records.map(({ record }) => {
        const replacement = longLived[name].toDocument(record);
        return { replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true } };
      });
      const model = openCollection(connection, longLived[name]);
      await model.bulkWrite(replacements, { ordered: false, throwOnValidationError: true });
    },
  };
}
