import { z } from 'zod';
import { AppError } from '#errors';
import type { Languages } from '#faces/words/i18n';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, fillForm, readForm, refuseForm } from '../forms/forms.ts';
import { createListModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { describeTenants, readTenantChoices } from '../tenants/tenant-choices.ts';
import { adminRoutes, showAdminLinkOnce } from './admin.ts';
import { readRoleScope, roleFields, roleLists } from './role-form.ts';

const invitationForm = z.object(roleFields);

/** Who may sign in, the links that wait to be used, and new ones: a role, its tenants, and a link
 *  that is shown once. */
export function adminsRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const { admins, links, tenants, publicUrl } = deps;

  async function list({ query }: SignedInContext): Promise<Reply> {
    const choice = readListChoice(query, ['name', 'role', 'lastSignInAt']);
    const found = await admins.listAdmins(choice);
    const withTenants = found.items.map(async (admin) => ({
      ...admin,
      tenantNames: await describeTenants(tenants, admin.tenants),
    }));
    return makePage('admins', {
      list: createListModel({ path: '/admins', query, choice }, found),
      admins: await Promise.all(withTenants),
      pending: await describePending(deps),
    });
  }

  async function askRevoke({ param }: SignedInContext): Promise<Reply> {
    const link = (await describePending(deps)).find(({ id }) => id === param('linkId'));
    return link === undefined ? makeRedirect('/admins', 'link-gone') : makePage('link-revoke', { link });
  }

  async function revoke({ actor, param }: SignedInContext): Promise<Reply> {
    try {
      await links.revokeLink(actor, param('linkId'));
      return makeRedirect('/admins', 'link-revoked');
    } catch (error) {
      if (error instanceof AppError && error.code === 'LINK_INVALID')
        return makeRedirect('/admins', 'link-gone');
      throw error;
    }
  }

  async function showInvite(form: FormState, status = 200): Promise<Reply> {
    return makePage('admin-invite', { form, tenants: await readTenantChoices(tenants, null) }, { status });
  }

  async function invite({ form, t, actor }: SignedInContext): Promise<Reply> {
    const read = readForm(form, { schema: invitationForm, lists: roleLists, t });
    if ('state' in read) return showInvite(read.state, 422);
    const { role } = read.data;
    try {
      const given = await links.createInvitation(actor, { role, tenants: readRoleScope(read.data) });
      return showAdminLinkOnce(given, { publicUrl, kind: 'invitation', name: null });
    } catch (error) {
      return showInvite(refuseForm(error, { form, t, languages }), 422);
    }
  }

  const askInvite = () => showInvite(fillForm({ role: 'manager' }));
  return [
    { method: 'get', path: '/admins', access: 'owner', handle: list },
    { method: 'get', path: '/admins/links/:linkId/revoke', access: 'owner', handle: askRevoke },
    { method: 'post', path: '/admins/links/:linkId/revoke', access: 'owner', handle: revoke },
    { method: 'get', path: '/admins/invite', access: 'owner', handle: askInvite },
    { method: 'post', path: '/admins/invite', access: 'owner', handle: invite },
    ...adminRoutes(deps, languages),
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
