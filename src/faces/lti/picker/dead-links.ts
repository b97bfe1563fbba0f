import { openHandle } from '#faces/object-view/handle';
import type { LtiFaceDeps } from '../deps.ts';
import { requireChange, toTeacher } from '../object/replace.ts';
import { describeDeadLink } from '../object/replies.ts';
import { listReplacements } from '../object/similar.ts';
import type { LaunchContext, LtiReply, LtiRoute } from '../route.ts';

/** For all searches together. */
const SEARCH_MS = 4_000;

/** Proposals for each link, and links that have some. */
const MOST_PROPOSED = 3;
const MOST_SEARCHED = 5;

/** Dead links of the course, which teachers are told of where they choose objects, with what could
 *  take their place. */
export function deadLinksRoutes(deps: LtiFaceDeps): LtiRoute[] {
  return [
    { method: 'get', path: '/picker/dead', access: 'picker', handle: (context) => showDead(deps, context) },
    {
      method: 'post',
      path: '/picker/dead/replace',
      access: 'picker',
      handle: (context) => replaceDead(deps, context),
    },
  ];
}

async function showDead(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { token } = context;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(SEARCH_MS)]);
  const links = (await listDead(deps, context)).map(async ({ link, placement, check }, number) => ({
    id: link.id,
    placementId: placement.id,
    told: describeDeadLink(link.title ?? placement.title, check, context),
    proposals:
      number < MOST_SEARCHED
        ? (await listReplacements(deps, { ...context, signal }, placement.object)).slice(0, MOST_PROPOSED)
        : [],
  }));
  const model = { links: await Promise.all(links), token };
  return { kind: 'fragment', view: 'partials/dead-links', model };
}

async function replaceDead(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { form, launch, token } = context;
  await requireChange(deps, context);
  const dead = (await listDead(deps, context)).find(
    ({ link, placement }) => link.id === form.get('link') && placement.id === form.get('placement'),
  );
  if (dead !== undefined) {
    const { tenantId } = launch;
    const found = openHandle(form.get('handle') ?? '', { keyring: deps.keyring, tenantId });
    const what = { tenantId, url: dead.placement.object.url, linkIds: [dead.link.id] };
    await deps.deadLinks.replace(toTeacher(context), what, found);
  }
  // Where it is no longer dead, the list is the answer.
  return { kind: 'redirect', to: `/lti/picker?${new URLSearchParams({ launch: token })}` };
}

async function listDead({ deadLinks }: LtiFaceDeps, { launch }: LaunchContext) {
  const { tenantId, registrationId, context } = launch;
  return context === null ? [] : deadLinks.listOfCourse({ tenantId, registrationId, contextId: context.id });
}
