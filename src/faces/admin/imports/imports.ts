import type { AdminFaceDeps } from '../deps.ts';
import { listModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, page, type Reply, type SignedInContext } from '../route.ts';
import { importStates } from './import-view.ts';

/** Every import there was, the newest first. */
export function importsRoutes({ imports, clock }: AdminFaceDeps): AdminRoute[] {
  const path = '/catalogue/imports';

  async function list({ query }: SignedInContext): Promise<Reply> {
    const choice = readListChoice(query, ['startedAt'], true);
    const found = await imports.listImports({ page: choice.page, pageSize: choice.pageSize });
    return page('imports', {
      list: listModel({ path, query, choice }, found),
      imports: found.items,
      ...importStates(clock.now()),
    });
  }

  return [{ method: 'get', path, access: 'viewer', handle: list }];
}
