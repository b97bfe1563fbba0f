import { normalizeObjectAddress, toLearningMinutes } from '#domain/learning-object';
import type { Launch } from '#domain/lti/launch';
import { listUseFacts } from '#faces/object-view/facts';
import { type HandleLookup, sealHandle } from '#faces/object-view/handle';
import { toObjectView } from '#faces/object-view/object-view';
import type { Highlight } from '#ports/learning-service';
import type { AskedSearch } from '#services/host/insight';
import type { LtiFaceDeps } from '../deps.ts';
import { type LaunchContext, toShelfOwner } from '../route.ts';

export type Card = Awaited<ReturnType<typeof readPickerCards>>[number];
type CardSource = HandleLookup & { readonly highlight?: Highlight | undefined };

/** Reads a card for each object, with whether the person saved it and how courses use it. */
export async function readPickerCards(
  sources: readonly CardSource[],
  { shelf, keyring, placements }: Pick<LtiFaceDeps, 'shelf' | 'keyring' | 'placements'>,
  { launch, t, locale, pictures }: Pick<LaunchContext, 'launch' | 't' | 'locale' | 'pictures'>,
) {
  const { tenantId } = launch;
  const urls = sources.map(({ object }) => object.url);
  const [savedUrls, uses] = await Promise.all([
    shelf.findSaved(toShelfOwner(launch), urls),
    placements.countUses(tenantId, urls),
  ]);
  return sources.map(({ highlight, ...source }) => ({
    ...toObjectView(source.object, { t, locale, pictures }, highlight),
    handle: sealHandle(source, { keyring, tenantId }),
    address: normalizeObjectAddress(source.object.url),
    isSaved: savedUrls.has(source.object.url),
    uses: listUseFacts(uses.get(source.object.url), { t, locale }),
    minutes: toLearningMinutes(source.object.learningTime) ?? null,
  }));
}

export const toAskedSearch = (launch: Launch, words: string): AskedSearch => ({ ...toShelfOwner(launch), words });

/** Notes that a search was successful: somebody previewed, saved or chose one of its results. */
export function noteLookedIntoCard(
  { insight }: Pick<LtiFaceDeps, 'insight'>,
  { launch }: Pick<LaunchContext, 'launch'>,
  { words }: HandleLookup,
): void {
  if (words !== undefined) insight.noteOpened(toAskedSearch(launch, words));
}
