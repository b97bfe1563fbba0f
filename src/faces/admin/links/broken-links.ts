import type { LearningObject } from '#domain/learning-object';
import { AppError } from '#errors';
import { writeObjectDifferences } from '#faces/object-view/facts';
import { toObjectView } from '#faces/object-view/object-view';
import { findReplacements } from '#services/searching/replacements';
import type { AdminDeps } from '../deps.ts';
import { createListModel, type ListChoice, readListChoice } from '../lists/lists.ts';
import { get, makePage, makeRedirect, post, type Reply, type SignedInContext } from '../route.ts';
import { addTenantNames } from '../tenants/tenant-lists.ts';

/** Limits all searches of a page together. */
const SEARCH_MS = 4_000;
const PATH = '/tenants/:tenantId/links';
const access = 'manager';

/** Links that did not answer when checked: in courses, or in all of the catalogue. */
export const brokenLinksRoutes = [
  get('/catalogue/links', 'viewer', showBrokenLinks),
  get(PATH, 'viewer', showBrokenLink),
  post(`${PATH}/replace`, access, replaceBrokenLink),
  post(`${PATH}/leave`, access, actOnBrokenLink('leave', 'left')),
  post(`${PATH}/look-again`, access, actOnBrokenLink('lookAgain', 'looked-again')),
  post(`${PATH}/undo`, access, undoBrokenLinkReplacement),
];

async function showBrokenLinks(context: SignedInContext): Promise<Reply> {
  const { query, signedIn, linkChecks } = context;
  const choice = readListChoice(query, ['url']);
  // The whole list has addresses in courses of other tenants, too.
  const seesAll = signedIn.admin.tenants === null;
  const isOfAll = seesAll && query.get('of') === 'all';
  const [result, counts] = await Promise.all([
    isOfAll ? listAllBrokenLinks(context, choice) : listBrokenLinksInCourses(context, choice),
    linkChecks.countLinkChecks(),
  ]);
  const list = createListModel({ path: '/catalogue/links', query, choice }, result);
  return makePage('broken-links', { list, links: result.items, counts, seesAll, isOfAll });
}

async function listAllBrokenLinks({ linkChecks }: AdminDeps, choice: ListChoice<'url'>) {
  const { items, total } = await linkChecks.listBrokenLinks(choice);
  return { items: items.map((check) => ({ url: check.url, check, tenantName: null })), total };
}

async function listBrokenLinksInCourses({ deadLinks, tenants, signedIn }: SignedInContext, choice: ListChoice<'url'>) {
  const { items, total } = await deadLinks.listFailing(signedIn.admin.tenants, choice);
  return { items: await addTenantNames(tenants, items), total };
}

async function proposeReplacements(deps: AdminDeps, tenantId: string, object: LearningObject) {
  const { linkChecks, onProblem, tenants, trialOf } = deps;
  const signal = AbortSignal.timeout(SEARCH_MS);
  const tenant = await tenants.getTenant(tenantId);
  const scope = { discovery: trialOf(tenantId), tenant, signal, onProblem };
  return findReplacements({ ...scope, findDead: (urls) => linkChecks.findDead(urls) }, object);
}

async function showBrokenLink(context: SignedInContext): Promise<Reply> {
  const { param, query, t, locale, deadLinks, objects, tenants } = context;
  const tenantId = param('tenantId');
  const url = query.get('url') ?? '';
  const { check, decision, links, mends } = await deadLinks.find(tenantId, url);
  const object = links[0]?.placement.object ?? null;
  const [tenant, isInCatalogue, proposals, platforms] = await Promise.all([
    tenants.getTenant(tenantId),
    objects.exists(tenantId, url),
    object === null ? [] : proposeReplacements(context, tenantId, object),
    nameBrokenLinkPlatforms(
      context,
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
    proposals: proposals.map(({ hit, differences }) => ({
      view: toObjectView(hit.object, { t, locale, pictures: context.pictures }),
      differences: writeObjectDifferences(differences, { t, locale }),
    })),
  });
}

async function nameBrokenLinkPlatforms({ ltiRegistrations }: AdminDeps, ids: readonly string[]) {
  const named = [...new Set(ids)].map(async (id) => {
    // The registration may have been deleted since.
    const registration = await ltiRegistrations.getRegistration(id).catch(() => null);
    return [id, registration?.name ?? ''] as const;
  });
  return new Map(await Promise.all(named));
}

async function replaceBrokenLink(context: SignedInContext): Promise<Reply> {
  const { param, form, actor, deadLinks } = context;
  const tenantId = param('tenantId');
  const url = form.get('url') ?? '';
  const { links } = await deadLinks.find(tenantId, url);
  const object = links[0]?.placement.object;
  const proposals = object === undefined ? [] : await proposeReplacements(context, tenantId, object);
  // The search is repeated, as the form cannot be trusted with what is put into courses.
  const chosen = proposals.find(({ hit }) => hit.object.url === form.get('by'));
  if (chosen === undefined)
    throw new AppError(
      'CHANGED_MEANWHILE',
      'The search no longer finds what you chose. Reload the page, and choose from what it finds now.',
    );
  const link = form.get('link') ?? '';
  const target = { tenantId, url, linkIds: link === '' ? null : [link] };
  const { changes } = await deadLinks.replace(actor, target, chosen.hit);
  return makeRedirect(toBrokenLinkPath(tenantId, url), 'link-replaced', changes.length);
}

function actOnBrokenLink(act: 'leave' | 'lookAgain', done: string) {
  return async ({ param, form, actor, deadLinks }: SignedInContext): Promise<Reply> => {
    const { url } = await deadLinks[act](actor, param('tenantId'), form.get('url') ?? '');
    return makeRedirect(toBrokenLinkPath(param('tenantId'), url), `link-${done}`);
  };
}

async function undoBrokenLinkReplacement({ param, form, actor, deadLinks }: SignedInContext): Promise<Reply> {
  await deadLinks.undo(actor, param('tenantId'), form.get('mend') ?? '');
  return makeRedirect(toBrokenLinkPath(param('tenantId'), form.get('url') ?? ''), 'link-undone');
}

const toBrokenLinkPath = (tenantId: string, url: string): string =>
  `/tenants/${tenantId}/links?${new URLSearchParams({ url })}`;
