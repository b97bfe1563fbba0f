import { toLtiPerson } from '#domain/lti/placement';
import type { FoundHandle } from '#faces/object-view/handle';
import type { AskedSearch } from '#services/host/insight';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';

/** A search of the person who opened the picker. */
export function findAsked({ launch }: Pick<LaunchContext, 'launch'>, words: string): AskedSearch {
  const { tenantId, registrationId, user } = launch;
  return { tenantId, words, person: toLtiPerson(registrationId, user.id) };
}

/** Somebody previewed, saved or chose what a search found: it led to something. */
export function noteLookedInto(
  { insight }: Pick<LtiFaceDeps, 'insight'>,
  context: Pick<LaunchContext, 'launch'>,
  { words }: FoundHandle,
): void {
  if (words !== undefined) insight.noteLookedInto(findAsked(context, words));
}
