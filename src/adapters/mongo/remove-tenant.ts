import type { Connection } from 'mongoose';
import { activity } from './activity.ts';
import { adminLinks, admins } from './admins.ts';
import { apiKeys } from './api-keys.ts';
import { audit } from './audit.ts';
import { openCollection } from './collection.ts';
import { feedback } from './feedback-collection.ts';
import { ltiDeployments, ltiRegistrations } from './lti-registrations.ts';
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
  placements,
  ltiLinks,
  activity,
  scores,
  slackInstallations,
  people,
] as const;

/** The tenant last: where this is cut short, it is still there to say that it was to be removed, and all of it can be done
 *  again. */
export async function removeTenant(connection: Connection, id: string): Promise<void> {
  for (const collection of owned) {
    await openCollection(connection, collection).deleteMany({ tenantId: id });
  }
  const inScope = { tenants: id };
  const without = { $pull: { tenants: id } };
  await openCollection(connection, adminLinks).updateMany(inScope, without);
  // Counted as a change: who has read the administrator before cannot bring the id back.
  await openCollection(connection, admins).updateMany(inScope, { ...without, $inc: { version: 1 } });
  await openCollection(connection, tenants).deleteOne({ _id: id });
}
