import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import type { Launch } from '#domain/lti/launch';
import { toLtiPerson } from '#domain/lti/placement';
import { type HandleScope, sealHandle } from '#faces/object-view/handle';
import { type ObjectView, toObjectView } from '#faces/object-view/object-view';
import type { Highlight } from '#ports/learning-service';
import type { ShelfOwner } from '#ports/store/store';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';

/** What `views/lti/partials/card.eta` shows, as `it.card`, with `it.t`. */
export interface Card extends ObjectView {
  readonly handle: string;
  /** Address of the object without what makes no difference. */
  readonly address: string;
  readonly isSaved: boolean;
}

export interface CardSource {
  readonly object: LearningObject;
  readonly requestId: string | null;
  readonly highlight?: Highlight | undefined;
  /** By which it was found, where it was. */
  readonly words?: string | undefined;
}

export type CardScope = Pick<HandleScope, 'keyring'> &
  Pick<LaunchContext, 'launch' | 't' | 'locale' | 'pictures'> & {
    /** Addresses of objects that the person has saved, as the objects have them. */
    readonly saved: ReadonlySet<string>;
  };

export function toCard({ object, requestId, highlight, words }: CardSource, scope: CardScope): Card {
  const { keyring, launch, t, locale, pictures, saved } = scope;
  return {
    ...toObjectView(object, { t, locale, pictures }, highlight),
    handle: sealHandle({ object, requestId, words }, { keyring, tenantId: launch.tenantId }),
    address: normalizeObjectAddress(object.url),
    isSaved: saved.has(object.url),
  };
}

export function findShelfOwner({ tenantId, registrationId, user }: Launch): ShelfOwner {
  return { tenantId, person: toLtiPerson(registrationId, user.id) };
}

/** Objects as cards that say which of them the person has saved. */
export async function readCards(
  sources: readonly CardSource[],
  { shelf, keyring }: Pick<LtiFaceDeps, 'shelf' | 'keyring'>,
  { launch, t, locale, pictures }: Pick<LaunchContext, 'launch' | 't' | 'locale' | 'pictures'>,
): Promise<readonly Card[]> {
  const urls = sources.map(({ object }) => object.url);
  const saved = await shelf.findSaved(findShelfOwner(launch), urls);
  return sources.map((source) => toCard(source, { keyring, launch, t, locale, pictures, saved }));
}
