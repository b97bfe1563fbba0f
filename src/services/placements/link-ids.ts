import { createHash } from 'node:crypto';
import type { Launch } from '../../domain/lti/launch.ts';

type Installation = Pick<Launch, 'registrationId' | 'deploymentId'>;

/** Of the ids that a platform sends, which has any number of them after many copies. */
const MAX_HISTORY = 20;

/** What the store knows a resource link by: platforms number their links each for itself. */
export function linkId({ registrationId, deploymentId }: Installation, resourceLinkId: string): string {
  const text = JSON.stringify([registrationId, deploymentId, resourceLinkId]);
  return createHash('sha256').update(text).digest('hex');
}

/** Ids that the platform put into a history parameter, URL-encoded and separated by commas.
 *  Source: https://www.imsglobal.org/spec/lti/v1p3/#customproperty */
export function historyOf({ custom }: Pick<Launch, 'custom'>, parameter: string): readonly string[] {
  const ids = (custom[parameter] ?? '').split(',').map((id) => decoded(id.trim()));
  return [...new Set(ids.filter((id) => id !== ''))].slice(0, MAX_HISTORY);
}

/** As it came where it is not encoded after all. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
