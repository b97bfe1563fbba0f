import { z } from 'zod';
import { AppError } from '#errors';
import type { AdminDeps, AdminFaceDeps } from '../deps.ts';
import { type FormState, fillForm, readForm, refuseForm } from '../forms/forms.ts';
import { createListModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { describeTenants, readTenantChoices } from '../tenants/tenant-choices.ts';
import { adminRoutes, showAdminLinkOnce } from './admin.ts';
import { readRoleScope, roleFields, roleLists } from './role-form.ts';

const invitationForm = z.object(roleFields);

/** The list of administrators and unused links, and invitations: a role, its tenants, and a link
 *  that is shown once. */
export const adminsRoutes: AdminRoute[] = [
  { method: 'get', path: '/admins', access: 'owner', handle: listAdmins },
  { method: 'get', path: '/admins/links/:linkId/revoke', access: 'owner', handle: showRevokeLink },
  { method: 'post', path: '/admins/links/:linkId/revoke', access: 'owner', handle: revokeLink },
  { method: 'get', path: '/admins/invite', access: 'owner', handle: (_context, deps) => showInvite(deps) },
  { method: 'post', path: '/admins/invite', access: 'owner', handle: inviteAdmin },
  ...adminRoutes,
];

async function listAdmins({ query }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { admins, tenants } = deps;
  const choice = readListChoice(query, ['name', 'role', 'lastSignInAt']);
  const result = await admins.listAdmins(choice);
  const withTenants = result.items.map(async (admin) => ({
    ...admin,
    tenantNames: await describeTenants(tenants, admin.tenants),
  }));
  return makePage('admins', {
    list: createListModel({ path: '/admins', query, choice }, result),
    admins: await Promise.all(withTenants),
    pending: await describePending(deps),
  });
}

async function showRevokeLink({ param }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const link = (await describePending(deps)).find(({ id }) => id === param('linkId'));
  return link === undefined ? makeRedirect('/admins', 'link-gone') : makePage('link-revoke', { link });
}

async function revokeLink({ actor, param }: SignedInContext, { links }: AdminDeps): Promise<Reply> {
  try {
    await links.revokeLink(actor, param('linkId'));
    return makeRedirect('/admins', 'link-revoked');
  } catch (error) {
    if (error instanceof AppError && error.code === 'LINK_INVALID') return makeRedirect('/admins', 'link-gone');
    throw error;
  }
}

async function showInviteForm({ tenants }: AdminDeps, form: FormState, status = 200): Promise<Reply> {
  return makePage('admin-invite', { form, tenants: await readTenantChoices(tenants, null) }, { status });
}

async function inviteAdmin({ form, t, actor }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { languages, links, publicUrl } = deps;
  const read = readForm(form, { schema: invitationForm, lists: roleLists, t });
  if ('state' in read) return showInviteForm(deps, read.state, 422);
  const { role } = read.data;
  try {
    const link = await links.createInvitation(actor, { role, tenants: readRoleScope(read.data) });
    return showAdminLinkOnce(link, { publicUrl, kind: 'invitation', name: null });
  } catch (error) {
    return showInviteForm(deps, refuseForm(error, { form, t, languages }), 422);
  }
}

function showInvite(deps: AdminDeps) {
  return showInviteForm(deps, fillForm({ role: 'manager' }));
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
