import { type LearningObject, normalizeAddress } from '../../../domain/learning-object.ts';
import type { Highlight } from '../../../ports/learning-service.ts';
import { type ObjectView, toObjectView } from '../../object-view/object-view.ts';
import type { LaunchContext } from '../route.ts';
import { type HandleScope, sealHandle } from './handle.ts';

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
}

export type CardScope = Pick<HandleScope, 'keyring'> &
  Pick<LaunchContext, 'launch' | 't' | 'locale'> & {
    /** Addresses of objects that the person has saved, as the objects have them. */
    readonly saved: ReadonlySet<string>;
  };

export function toCard({ object, requestId, highlight }: CardSource, scope: CardScope): Card {
  const { keyring, launch, t, locale, saved } = scope;
  return {
    ...toObjectView(object, { t, locale }, highlight),
    handle: sealHandle({ object, requestId }, { keyring, tenantId: launch.tenantId }),
    address: normalizeAddress(object.url),
    isSaved: saved.has(object.url),
  };
}
