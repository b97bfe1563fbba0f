import type { Connection } from 'mongoose';
import { openCollection } from './collection.ts';
import { activity } from './repositories/activity.ts';
import { adminLinks, admins } from './repositories/admins.ts';
import { apiKeys } from './repositories/api-keys.ts';
import { assistantGrants } from './repositories/assistants.ts';
import { audit } from './repositories/audit.ts';
import { feedback } from './repositories/feedback-collection.ts';
import { insight, insightWaiting } from './repositories/insight.ts';
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

/** Collections with records of a tenant. */
const owned = [
  secrets,
  apiKeys,
  feedback,
  audit,
  usage,
  shelf,
  ltiRegistrations,
  ltiDeployments,
  linkMends,
  placements,
  ltiLinks,
  activity,
  scores,
  slackInstallations,
  people,
  objectChanges,
  insight,
  insightWaiting,
  assistantGrants,
] as const;

/** The tenant goes last: if this is interrupted, it still says that it is being deleted, and everything can be repeated. */
export async function removeTenant(connection: Connection, id: string): Promise<void> {
  for (const collection of owned) {
    await openCollection(connection, collection).deleteMany({ tenantId: id });
  }
  const inScope = { tenants: id };
  const without = { $pull: { tenants: id } };
  await openCollection(connection, adminLinks).updateMany(inScope, without);
  // Counts as a change: so nobody who has read the administrator before can bring the id back.
  await openCollection(connection, admins).updateMany(inScope, { ...without, $inc: { version: 1 } });
  await openCollection(connection, tenants).deleteOne({ _id: id });
}
