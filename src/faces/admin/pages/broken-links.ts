import type { AdminFaceDeps } from '../deps.ts';
import { listModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, page, type Reply, type SignedInContext } from '../route.ts';

/** Addresses of learning objects that did not answer when they were checked. */
export function brokenLinksRoutes({ linkChecks }: AdminFaceDeps): AdminRoute[] {
  const path = '/catalogue/links';

  async function list({ query }: SignedInContext): Promise<Reply> {
    const choice = readListChoice(query, ['url']);
    const { search, page: number, pageSize } = choice;
    const [found, counts] = await Promise.all([
      linkChecks.listBrokenLinks({ search, page: number, pageSize }),
      linkChecks.countLinkChecks(),
    ]);
    return page('broken-links', {
      list: listModel({ path, query, choice }, found),
      links: found.items,
      counts,
    });
  }

  return [{ method: 'get', path, access: 'viewer', handle: list }];
}
