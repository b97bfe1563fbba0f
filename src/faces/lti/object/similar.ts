import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import { isPassingError } from '#errors';
import { writeObjectDifferences } from '#faces/object-view/facts';
import { sealHandle } from '#faces/object-view/handle';
import { toObjectView } from '#faces/object-view/object-view';
import type { OpenedLink } from '#services/courses/placements/links';
import type { LearningObjectHit } from '#services/searching/discovery/results';
import { findReplacements } from '#services/searching/replacements';
import { findSimilar, type SearchScope } from '#services/searching/similar-objects';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply } from '../route.ts';
import { mayChangePeople } from './people.ts';
import { replyWithPart } from './replies.ts';

const SEARCH_TIMEOUT_MS = 4_000;
const MAX_KEYWORDS = 300;
const MAX_ITEMS = 20;

export async function showSimilarToPlaced(
  deps: LtiFaceDeps,
  context: LaunchContext,
  opened: OpenedLink,
): Promise<LtiReply> {
  const { launch, token } = context;
  const { object, id } = opened.placement;
  const tenant = await deps.tenants.getTenant(launch.tenantId);
  const discovery = deps.discoveryOf(launch.tenantId);
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(SEARCH_TIMEOUT_MS)]);
  const scope = { discovery, tenant, signal, onProblem: deps.onProblem };
  const isDead = (await deps.deadLinks.findCheck(launch.tenantId, object.url))?.state === 'dead';
  const canChoose = await mayChangePeople(deps, context);
  const [items, isStillListed] = await Promise.all([
    isDead
      ? listSimilarReplacements(deps, { ...context, signal }, object)
      : listSimilarToPlaced(deps, context, scope, object),
    isDead ? null : isListedByProvider(scope, object),
  ]);
  const model = {
    items: canChoose ? items : items.map((item) => ({ ...item, handle: null })),
    isDead,
    isGone: isStillListed === false,
    provider: object.provider ?? '',
    canChoose,
    placementId: id,
    token,
  };
  return replyWithPart(context, { view: 'object-similar', title: 'lesson.similar.title', model });
}

async function listSimilarToPlaced(
  deps: LtiFaceDeps,
  context: LaunchContext,
  scope: Parameters<typeof findSimilar>[0],
  object: LearningObject,
) {
  const similar = await findSimilar(scope, object);
  return similar.map(({ hit, skill }) =>
    toSimilarItem(deps, context, { hit, why: context.t('lesson.similar.skill', { skill }) }),
  );
}

export async function listSimilarReplacements(deps: LtiFaceDeps, context: LaunchContext, object: LearningObject) {
  const { launch, signal, t, locale } = context;
  const scope = {
    discovery: deps.trialOf(launch.tenantId),
    signal,
    onProblem: deps.onProblem,
    tenant: await deps.tenants.getTenant(launch.tenantId),
    findDead: (urls: readonly string[]) => deps.linkChecks.findDead(urls),
  };
  const proposals = await findReplacements(scope, object);
  return proposals.map(({ hit, differences }) => {
    const why = writeObjectDifferences(differences, { t, locale }).join(' · ') || t('learningObject.differences.none');
    return toSimilarItem(deps, context, { hit, why });
  });
}

function toSimilarItem(
  { keyring }: LtiFaceDeps,
  { launch, t, locale, pictures }: LaunchContext,
  { hit, why }: { readonly hit: LearningObjectHit; readonly why: string },
) {
  const { object, requestId } = hit;
  return {
    view: toObjectView(object, { t, locale, pictures }),
    why,
    handle:
      launch.role === 'instructor' ? sealHandle({ object, requestId }, { keyring, tenantId: launch.tenantId }) : null,
  };
}

/** Tells whether the provider still lists an object; null for an unknown one or partial answer. */
async function isListedByProvider(scope: SearchScope, object: LearningObject): Promise<boolean | null> {
  const { discovery, signal, onProblem } = scope;
  try {
    const { providers } = await discovery.lists({ signal });
    const provider = providers.find(({ name }) => name === object.provider);
    if (provider === undefined) return null;
    const query = toProviderQuery(object, provider.id);
    const { items, missing } = await discovery.searchLearningObjects(query, { signal });
    const address = normalizeObjectAddress(object.url);
    if (items.some((item) => normalizeObjectAddress(item.object.url) === address)) return true;
    return missing.length === 0 ? false : null;
  } catch (error) {
    if (!signal.aborted && !isPassingError(error)) onProblem(error);
    return null;
  }
}

function toProviderQuery({ title, lang }: LearningObject, providerId: string): LearningObjectQuery {
  return {
    keywords: title.slice(0, MAX_KEYWORDS),
    ...(lang !== undefined && { lang }),
    providers: [providerId],
    types: [],
    blooms: [],
    sort: 'popularity',
    match: 'best-effort',
    model: 'extended',
    max: MAX_ITEMS,
    page: 0,
    important: new Set(['provider']),
  };
}
