import { AppError } from '../../../errors.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { listModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, page, type Reply, redirect, type SignedInContext } from '../route.ts';
import { describeTenants } from '../tenants/tenant-names.ts';

/** Who may sign in, and the links that wait to be used. */
export function adminsRoutes(deps: AdminFaceDeps): AdminRoute[] {
  const { admins, links, tenants } = deps;

  async function list({ query }: SignedInContext): Promise<Reply> {
    const choice = readListChoice(query, ['name', 'role', 'lastSignInAt']);
    const found = await admins.listAdmins(choice);
    const withTenants = found.items.map(async (admin) => ({
      ...admin,
      tenantNames: await describeTenants(tenants, admin.tenants),
    }));
    return page('admins', {
      list: listModel({ path: '/admins', query, choice }, found),
      admins: await Promise.all(withTenants),
      pending: await describePending(deps),
    });
  }

  async function showRevoke({ params }: SignedInContext): Promise<Reply> {
    const link = (await describePending(deps)).find(({ id }) => id === params.linkId);
    return link === undefined ? redirect('/admins', 'link-gone') : page('link-revoke', { link });
  }

  return [
    { method: 'get', path: '/admins', access: 'owner', handle: list },
    { method: 'get', path: '/admins/links/:linkId/revoke', access: 'owner', handle: showRevoke },
    {
      method: 'post',
      path: '/admins/links/:linkId/revoke',
      access: 'owner',
      async handle({ actor, params }) {
        try {
          await links.revokeLink(actor, params.linkId!);
          return redirect('/admins', 'link-revoked');
        } catch (error) {
          if (error instanceof AppError && error.code === 'LINK_INVALID')
            return redirect('/admins', 'link-gone');
          throw error;
        }
      },
    },
  ];
}

/** Links that can be used, with the names of whom and what they are for. */
async function describePending({ links, admins, tenants }: AdminFaceDeps) {
  const described = (await links.listLinks()).map(async (link) => ({
    ...link,
    adminName: link.adminId === null ? null : ((await admins.findAdmin(link.adminId))?.name ?? null),
    tenantNames: await describeTenants(tenants, link.tenants),
  }));
  return Promise.all(described);
}
