import { z } from 'zod';
import { AppError } from '#errors';
import type { AdminDeps, AdminFaceDeps } from '../deps.ts';
import { fillForm, submitForm } from '../forms/forms.ts';
import { createListModel, readListChoice } from '../lists/lists.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import { describeTenants, readTenantChoices } from '../tenants/tenant-lists.ts';
import { adminRoutes, readRoleScope, roleFields, roleLists, showAdminLinkOnce } from './admin.ts';

const invitationForm = z.object(roleFields);

/** Administrators and unused links, and invitations: a role, its tenants, and a link shown once. */
export const adminsRoutes = [
  get('/admins', 'owner', listAdmins),
  get('/admins/links/:linkId/revoke', 'owner', showRevokeLink),
  post('/admins/links/:linkId/revoke', 'owner', revokeLink),
  get('/admins/invite', 'owner', (context) => showInvite(context)),
  post('/admins/invite', 'owner', inviteAdmin),
  ...adminRoutes,
];

async function listAdmins(context: SignedInContext): Promise<Reply> {
  const { query, admins, tenants } = context;
  const choice = readListChoice(query, ['name', 'role', 'lastSignInAt']);
  const result = await admins.listAdmins(choice);
  const withTenants = result.items.map(async (admin) => ({
    ...admin,
    tenantNames: await describeTenants(tenants, admin.tenants),
  }));
  return makePage('admins', {
    list: createListModel({ path: '/admins', query, choice }, result),
    admins: await Promise.all(withTenants),
    pending: await describePending(context),
  });
}

async function showRevokeLink(context: SignedInContext): Promise<Reply> {
  const link = (await describePending(context)).find(({ id }) => id === context.param('linkId'));
  return link === undefined ? makeRedirect('/admins', 'link-gone') : makePage('link-revoke', { link });
}

async function revokeLink({ actor, param, links }: SignedInContext): Promise<Reply> {
  try {
    await links.revokeLink(actor, param('linkId'));
    return makeRedirect('/admins', 'link-revoked');
  } catch (error) {
    if (error instanceof AppError && error.code === 'LINK_INVALID') return makeRedirect('/admins', 'link-gone');
    throw error;
  }
}

async function showInvite({ tenants }: AdminDeps, form = fillForm({ role: 'manager' })): Promise<PageReply> {
  return makePage('admin-invite', { form, tenants: await readTenantChoices(tenants, null) });
}

function inviteAdmin(context: SignedInContext): Promise<Reply> {
  return submitForm(context, {
    schema: invitationForm,
    lists: roleLists,
    show: (form) => showInvite(context, form),
    async save(chosen) {
      const invitation = { role: chosen.role, tenants: readRoleScope(chosen) };
      return showAdminLinkOnce(context, await context.links.createInvitation(context.actor, invitation));
    },
  });
}

async function describePending({ links, admins, tenants }: AdminFaceDeps) {
  const described = (await links.listLinks()).map(async (link) => ({
    ...link,
    adminName: link.adminId === null ? null : ((await admins.findAdmin(link.adminId))?.name ?? null),
    tenantNames: await describeTenants(tenants, link.tenants),
  }));
  return Promise.all(described);
}
