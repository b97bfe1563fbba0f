import { cutWords } from '../../../domain/learning-object-query.ts';
import { readFilters } from '../../search-view/filters.ts';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply, LtiRoute } from '../route.ts';
import { showPicker } from './picker-page.ts';
import { readPreview } from './preview-model.ts';
import { readResults } from './results-model.ts';
import { readSimilar } from './similar-model.ts';

/** Asked for after the page is there. */
const LATE_LISTS_MS = 10_000;

/** Finding learning objects from within a course. */
export function pickerSearchRoutes(deps: LtiFaceDeps): LtiRoute[] {
  const discoveryOf = ({ launch }: LaunchContext) => deps.discoveryOf(launch.tenantId);
  const defaultsOf = async ({ launch }: LaunchContext) =>
    (await deps.tenants.getTenant(launch.tenantId)).defaults;
  return [
    { method: 'get', path: '/picker', access: 'picker', handle: (context) => showPicker(deps, context) },
    {
      method: 'get',
      path: '/picker/results',
      access: 'picker',
      async handle(context) {
        const results = await readResults(deps, context, await defaultsOf(context));
        const isFirst = (context.query.get('page') ?? '0') === '0';
        return fragment(isFirst ? 'results' : 'more-results', { results });
      },
    },
    {
      method: 'get',
      path: '/picker/similar',
      access: 'picker',
      handle: async (context) =>
        fragment('similar', { similar: await readSimilar(discoveryOf(context), context) }),
    },
    {
      method: 'get',
      path: '/picker/filters',
      access: 'picker',
      async handle(context) {
        const defaults = await defaultsOf(context);
        const [discovery, { publicUrl }] = [discoveryOf(context), deps];
        const filters = await readFilters({
          ...context,
          discovery,
          defaults,
          publicUrl,
          timeoutMs: LATE_LISTS_MS,
        });
        return fragment('filters', { filters });
      },
    },
    {
      method: 'get',
      path: '/picker/complete',
      access: 'picker',
      handle: (context) => complete(discoveryOf(context), context),
    },
    {
      method: 'post',
      path: '/picker/preview',
      access: 'picker',
      handle: async (context) => fragment('preview', { preview: await readPreview(deps, context) }),
    },
  ];
}

/** Words that complete what is being typed, as an array of labels. Not to be kept: another tenant's are others. */
async function complete(
  discovery: ReturnType<LtiFaceDeps['discoveryOf']>,
  { query, signal }: LaunchContext,
): Promise<LtiReply> {
  const { suggestions } = await discovery.complete(cutWords(query.get('q') ?? ''), { signal });
  return { kind: 'json', body: suggestions.map(({ label }) => label) };
}

function fragment(name: string, model: Readonly<Record<string, unknown>>): LtiReply {
  return { kind: 'fragment', view: `partials/${name}`, model };
}
