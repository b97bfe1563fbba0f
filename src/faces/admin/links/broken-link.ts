import type { LearningObject } from '#domain/learning-object';
import { AppError } from '#errors';
import { writeObjectDifferences } from '#faces/object-view/differences';
import { toObjectView } from '#faces/object-view/object-view';
import { findReplacements } from '#services/searching/replacements';
import type { AdminDeps } from '../deps.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';

/** For all searches of the page together. */
const SEARCH_MS = 4_000;

const PATH = '/tenants/:tenantId/links';

const access = 'manager';

/** One address in the courses of a tenant: where it is, what could take its place, what was done
 *  about it, and undoing that. */
export const brokenLinkRoutes: AdminRoute[] = [
  { method: 'get', path: PATH, access: 'viewer', handle: showBrokenLink },
  { method: 'post', path: `${PATH}/replace`, access, handle: replaceBrokenLink },
  { method: 'post', path: `${PATH}/leave`, access, handle: leaveBrokenLink },
  { method: 'post', path: `${PATH}/look-again`, access, handle: checkLinkAgain },
  { method: 'post', path: `${PATH}/undo`, access, handle: undoReplacement },
];

async function proposeReplacements(
  { linkChecks, onProblem, tenants, trialOf }: AdminDeps,
  tenantId: string,
  object: LearningObject,
) {
  const signal = AbortSignal.timeout(SEARCH_MS);
  const tenant = await tenants.getTenant(tenantId);
  const scope = { discovery: trialOf(tenantId), tenant, signal, onProblem };
  return findReplacements({ ...scope, findDead: (urls) => linkChecks.findDead(urls) }, object);
}

async function showBrokenLink({ param, query, t, locale }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { deadLinks, objects, tenants } = deps;
  const tenantId = param('tenantId');
  const url = query.get('url') ?? '';
  const { check, decision, links, mends } = await deadLinks.find(tenantId, url);
  const object = links[0]?.placement.object ?? null;
  const [tenant, isInCatalogue, proposals, platforms] = await Promise.all([
    tenants.getTenant(tenantId),
    objects.exists(tenantId, url),
    object === null ? [] : proposeReplacements(deps, tenantId, object),
    findPlatformNames(
      deps,
      links.map(({ link }) => link.registrationId),
    ),
  ]);
  return makePage('broken-link', {
    tenant,
    isInCatalogue,
    url,
    title: object?.title ?? mends[0]?.object?.title ?? url,
    check,
    decision,
    links: links.map(({ link, placement }) => ({
      id: link.id,
      title: link.title ?? placement.title,
      course: link.contextId,
      platform: platforms.get(link.registrationId),
    })),
    mends,
    proposals: proposals.map(({ found, differences }) => ({
      view: toObjectView(found.object, { t, locale, pictures: deps.pictures }),
      differences: writeObjectDifferences(differences, { t, locale }),
    })),
  });
}

async function findPlatformNames(
  { ltiRegistrations }: AdminDeps,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = [...new Set(ids)].map(async (id) => {
    // It may have been deleted since.
    const registration = await ltiRegistrations.getRegistration(id).catch(() => null);
    return [id, registration?.name ?? ''] as const;
  });
  return new Map(await Promise.all(named));
}

async function replaceBrokenLink({ param, form, actor }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { deadLinks } = deps;
  const tenantId = param('tenantId');
  const url = form.get('url') ?? '';
  const { links } = await deadLinks.find(tenantId, url);
  const object = links[0]?.placement.object;
  const proposals = object === undefined ? [] : await proposeReplacements(deps, tenantId, object);
  // Looked for again, as the page cannot be trusted with what is put into courses.
  const chosen = proposals.find(({ found }) => found.object.url === form.get('by'));
  if (chosen === undefined)
    throw new AppError(
      'CHANGED_MEANWHILE',
      'The search no longer finds what you chose. Reload the page, and choose from what it finds now.',
    );
  const link = form.get('link') ?? '';
  const what = { tenantId, url, linkIds: link === '' ? null : [link] };
  const { changes } = await deadLinks.replace(actor, what, chosen.found);
  return makeRedirect(toPagePath(tenantId, url), 'link-replaced', changes.length);
}

async function leaveBrokenLink({ param, form, actor }: SignedInContext, { deadLinks }: AdminDeps): Promise<Reply> {
  const { url } = await deadLinks.leave(actor, param('tenantId'), form.get('url') ?? '');
  return makeRedirect(toPagePath(param('tenantId'), url), 'link-left');
}

async function checkLinkAgain({ param, form, actor }: SignedInContext, { deadLinks }: AdminDeps): Promise<Reply> {
  const { url } = await deadLinks.lookAgain(actor, param('tenantId'), form.get('url') ?? '');
  return makeRedirect(toPagePath(param('tenantId'), url), 'link-looked-again');
}

async function undoReplacement({ param, form, actor }: SignedInContext, { deadLinks }: AdminDeps): Promise<Reply> {
  await deadLinks.undo(actor, param('tenantId'), form.get('mend') ?? '');
  return makeRedirect(toPagePath(param('tenantId'), form.get('url') ?? ''), 'link-undone');
}

function toPagePath(tenantId: string, url: string): string {
  return `/tenants/${tenantId}/links?${new URLSearchParams({ url })}`;
}
