import type { Connection } from 'mongoose';
import { activity } from './activity.ts';
import { adminLinks, admins } from './admins.ts';
import { apiKeys } from './api-keys.ts';
import { audit } from './audit.ts';
import { openCollection } from './collection.ts';
import { feedback } from './feedback-collection.ts';
import { insight, insightWaiting } from './insight.ts';
import { linkMends } from './link-mends.ts';
import { ltiDeployments, ltiRegistrations } from './lti-registrations.ts';
import { objectChanges } from './object-layers.ts';
import { people } from './people.ts';
import { ltiLinks, placements } from './placements.ts';
import { scores } from './scores.ts';
import { secrets } from './secrets.ts';
import { shelf } from './shelf.ts';
import { slackInstallations } from './slack-installations.ts';
import { tenants } from './tenants.ts';
import { usage } from './usage.ts';

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
