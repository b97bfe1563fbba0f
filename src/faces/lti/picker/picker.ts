import { MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { cleanText } from '#domain/text';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply, LtiRoute } from '../route.ts';
import { submitChoice } from './choice.ts';
import { deadLinksRoutes } from './dead-links.ts';
import { ownRoutes } from './own.ts';
import { readPickerFilters, showPickerPage } from './picker-page.ts';
import { planRoute } from './plan.ts';
import { readLike, readPreview } from './preview.ts';
import { readResults } from './results.ts';
import { shelfRoutes } from './shelf.ts';
import { shelfLinkRoutes } from './shelf-link.ts';
import { readSimilar } from './similar.ts';

/** At most 50 chosen objects. */
const MAX_CHOICE = '4mb';

/** Asked for after the page is there. */
const LATE_LISTS_MS = 10_000;

/** Finding learning objects from within a course, choosing some and giving them to the platform. */
export function pickerRoutes(deps: LtiFaceDeps): LtiRoute[] {
  const findDiscovery = ({ launch }: LaunchContext) => deps.discoveryOf(launch.tenantId);
  const readDefaults = async ({ launch }: LaunchContext) =>
    (await deps.tenants.getTenant(launch.tenantId)).defaults;
  return [
    { method: 'get', path: '/picker', access: 'picker', handle: (context) => showPickerPage(deps, context) },
    {
      method: 'get',
      path: '/picker/results',
      access: 'picker',
      async handle(context) {
        const results = await readResults(deps, context, await readDefaults(context));
        const isFirst = (context.query.get('page') ?? '0') === '0';
        return fragment(isFirst ? 'results' : 'more-results', { results });
      },
    },
    {
      method: 'get',
      path: '/picker/similar',
      access: 'picker',
      handle: async (context) =>
        fragment('similar', { similar: await readSimilar(findDiscovery(context), context) }),
    },
    {
      method: 'get',
      path: '/picker/filters',
      access: 'picker',
      async handle(context) {
        const filters = await readPickerFilters(findDiscovery(context), context, {
          defaults: await readDefaults(context),
          timeoutMs: LATE_LISTS_MS,
        });
        return fragment('filters', { filters });
      },
    },
    {
      method: 'get',
      path: '/picker/complete',
      access: 'picker',
      handle: (context) => complete(findDiscovery(context), context),
    },
    {
      method: 'post',
      path: '/picker/preview',
      access: 'picker',
      handle: async (context) => fragment('preview', { preview: await readPreview(deps, context) }),
    },
    {
      method: 'post',
      path: '/picker/preview/like',
      access: 'picker',
      handle: async (context) => fragment('like', { items: await readLike(deps, context), action: null }),
    },
    {
      method: 'post',
      path: '/picker/choose',
      maxForm: MAX_CHOICE,
      access: 'choice',
      handle: (context) => submitChoice(deps, context),
    },
    planRoute(deps),
    ...ownRoutes(deps),
    ...deadLinksRoutes(deps),
    ...shelfRoutes(deps),
    ...shelfLinkRoutes(deps),
  ];
}

/** Words that complete what is being typed, as an array of labels. Not cached, as they differ between tenants. */
async function complete(
  discovery: ReturnType<LtiFaceDeps['discoveryOf']>,
  { query, signal }: LaunchContext,
): Promise<LtiReply> {
  const typed = query.get('q') ?? '';
  if (typed.length > MAX_WORDS_LENGTH) return { kind: 'json', body: [] };
  const { suggestions } = await discovery.complete(cleanText(typed), { signal });
  return { kind: 'json', body: suggestions.map(({ label }) => label) };
}

function fragment(name: string, model: Readonly<Record<string, unknown>>): LtiReply {
  return { kind: 'fragment', view: `partials/${name}`, model };
}
