import type { AdminDeps } from '../deps.ts';
import { createListModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, makePage, type Reply, type SignedInContext } from '../route.ts';
import { findTenantNames } from '../tenants/tenant-choices.ts';
import { brokenLinkRoutes } from './broken-link.ts';

/** Addresses of learning objects that did not answer when they were checked: those in courses,
 *  where something can be done about each, or all of the catalogue. */
export const brokenLinksRoutes: AdminRoute[] = [
  { method: 'get', path: '/catalogue/links', access: 'viewer', handle: showBrokenLinks },
  ...brokenLinkRoutes,
];

async function showBrokenLinks({ query, signedIn }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { deadLinks, linkChecks, tenants } = deps;
  const choice = readListChoice(query, ['url']);
  const isOfAll = query.get('of') === 'all';
  const [result, counts] = await Promise.all([
    isOfAll ? listBrokenLinks(deps, choice) : deadLinks.listFailing(signedIn.admin.tenants, choice),
    linkChecks.countLinkChecks(),
  ]);
  const list = createListModel({ path: '/catalogue/links', query, choice }, result);
  const names = await findTenantNames(tenants, result.items.filter(isPlaced));
  const links = result.items.map((link) => ({
    ...link,
    tenantName: isPlaced(link) ? names.get(link.tenantId) : null,
  }));
  return makePage('broken-links', { list, links, counts, isOfAll });
}

async function listBrokenLinks({ linkChecks }: AdminDeps, choice: Parameters<typeof linkChecks.listBrokenLinks>[0]) {
  const { items, total } = await linkChecks.listBrokenLinks(choice);
  return { items: items.map((check) => ({ url: check.url, check })), total };
}

const isPlaced = <T extends object>(link: T): link is T & { readonly tenantId: string } => 'tenantId' in link;
