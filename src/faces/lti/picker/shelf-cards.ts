import type { Launch } from '../../../domain/lti/launch.ts';
import { nameLtiPerson } from '../../../domain/lti/placement.ts';
import type { ShelfOwner } from '../../../ports/store/store.ts';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';
import { type Card, type CardSource, toCard } from './card.ts';

export function shelfOwner({ tenantId, registrationId, user }: Launch): ShelfOwner {
  return { tenantId, person: nameLtiPerson(registrationId, user.id) };
}

/** Objects as cards that say which of them the person has saved. */
export async function readCards(
  sources: readonly CardSource[],
  { shelf, keyring }: Pick<LtiFaceDeps, 'shelf' | 'keyring'>,
  { launch, t, locale }: Pick<LaunchContext, 'launch' | 't' | 'locale'>,
): Promise<readonly Card[]> {
  const urls = sources.map(({ object }) => object.url);
  const saved = await shelf.findSaved(shelfOwner(launch), urls);
  return sources.map((source) => toCard(source, { keyring, launch, t, locale, saved }));
}
