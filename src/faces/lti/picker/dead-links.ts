import { openHandle } from '#faces/object-view/handle';
import type { LtiFaceDeps } from '../deps.ts';
import { requireChange, toTeacher } from '../object/replace.ts';
import { describeDeadLink } from '../object/replies.ts';
import { listReplacements } from '../object/similar.ts';
import type { LaunchContext, LtiReply } from '../route.ts';

/** For all searches together. */
const SEARCH_TIMEOUT_MS = 4_000;
const MAX_PROPOSALS = 3;
/** Links for which proposals are searched. */
const MAX_SEARCHES = 5;

/** Shows the dead links of a course, with objects that could replace them. */
export async function showDeadLinks(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { token } = context;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(SEARCH_TIMEOUT_MS)]);
  const findProposals = (object: Parameters<typeof listReplacements>[2]) =>
    listReplacements(deps, { ...context, signal }, object);
  const links = (await listDeadLinks(deps, context)).map(async ({ link, placement, check }, index) => ({
    id: link.id,
    placementId: placement.id,
    told: describeDeadLink(link.title ?? placement.title, check, context),
    proposals: index < MAX_SEARCHES ? (await findProposals(placement.object)).slice(0, MAX_PROPOSALS) : [],
  }));
  const model = { links: await Promise.all(links), token };
  return { kind: 'fragment', view: 'partials/dead-links', model };
}

export async function replaceDeadLink(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { form, launch, token } = context;
  await requireChange(deps, context);
  const dead = (await listDeadLinks(deps, context)).find(
    ({ link, placement }) => link.id === form.get('link') && placement.id === form.get('placement'),
  );
  if (dead !== undefined) {
    const { tenantId } = launch;
    const replacement = openHandle(form.get('handle') ?? '', { keyring: deps.keyring, tenantId });
    const target = { tenantId, url: dead.placement.object.url, linkIds: [dead.link.id] };
    await deps.deadLinks.replace(toTeacher(context), target, replacement);
  }
  // If the link is no longer dead, the list shows it.
  return { kind: 'redirect', to: `/lti/picker?${new URLSearchParams({ launch: token })}` };
}

async function listDeadLinks({ deadLinks }: LtiFaceDeps, { launch }: LaunchContext) {
  const { tenantId, registrationId, context } = launch;
  return context === null ? [] : deadLinks.listOfCourse({ tenantId, registrationId, contextId: context.id });
}
