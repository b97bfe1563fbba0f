import { findSimilar, type SimilarObject } from '../../../services/similar-objects.ts';
import { toObjectView } from '../../object-view/object-view.ts';
import type { LtiFaceDeps } from '../deps.ts';
import { sealHandle } from '../picker/handle.ts';
import type { LaunchContext, LtiReply } from '../route.ts';
import { backToObject, part } from './replies.ts';
import { isStillFound } from './still-found.ts';

/** All that is searched for the part together. */
const SEARCH_MS = 4_000;

/** Objects for the same skills, and a word where the object itself may be gone. */
export async function showSimilar(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, token } = context;
  const opened = await deps.placements.openLink(launch);
  if (opened === null) return backToObject(context);
  const { object, id } = opened.placement;
  const tenant = await deps.tenants.getTenant(launch.tenantId);
  const discovery = deps.discoveryOf(launch.tenantId);
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(SEARCH_MS)]);
  const { onProblem } = deps;
  const [similar, isFound] = await Promise.all([
    findSimilar({ discovery, tenant, signal, onProblem }, object),
    isStillFound({ discovery, signal, onProblem }, object),
  ]);
  const model = {
    items: similar.map((found) => toItem(deps, context, found)),
    /** Null where nobody can tell now is as good as found: it may be there. */
    isGone: isFound === false,
    provider: object.provider ?? '',
    canChoose: launch.role === 'instructor',
    placementId: id,
    token,
  };
  return part(context, { view: 'object-similar', title: 'lesson.similar.title', model });
}

function toItem({ keyring }: LtiFaceDeps, context: LaunchContext, { found, skill }: SimilarObject) {
  const { launch, t, locale } = context;
  const { object, requestId } = found;
  const canChoose = launch.role === 'instructor';
  return {
    view: toObjectView(object, { t, locale }),
    skill,
    handle: canChoose ? sealHandle({ object, requestId }, { keyring, tenantId: launch.tenantId }) : null,
  };
}
