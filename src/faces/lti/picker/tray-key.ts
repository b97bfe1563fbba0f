import { createHash } from 'node:crypto';
import type { Launch } from '../../../domain/lti/launch.ts';
import { PLACEMENT_PARAMETER } from '../../../domain/lti/placement.ts';

/** What a browser keeps a selection under: the same for the same person in the same place of a course, however often the
 *  platform opens the picker there. Says nothing of any of them. */
export function trayKey(launch: Launch): string {
  const { registrationId, deploymentId, context, user, resourceLink, custom } = launch;
  // Without a course there is nothing that a selection could be found again by.
  const course = context?.id ?? launch.id;
  const item = resourceLink?.id ?? custom[PLACEMENT_PARAMETER] ?? null;
  const place = JSON.stringify([registrationId, deploymentId, user.id, course, resourceLink === null, item]);
  return createHash('sha256').update(place).digest('base64url');
}
