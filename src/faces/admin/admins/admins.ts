import { z } from 'zod';
import { type AdminRole, adminRoles, type TenantScope } from '#domain/admin';
import { AppError, hasErrorCode } from '#errors';
import type { OneTimeLink } from '#services/tenants/admins/admin-links';
import type { AdminView } from '#services/tenants/admins/admin-records';
import type { AdminDeps, AdminFaceDeps } from '../deps.ts';
import { boxField, type FormState, fillForm, refuseForm, submitForm, versionField } from '../forms/forms.ts';
import { createListModel, readListChoice } from '../lists/lists.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import { describeTenants, readTenantChoices } from '../tenants/tenant-lists.ts';

/** The role, a box for each tenant, and a box for all tenants, which managers may not have. */
const roleFields = { role: z.enum(adminRoles, 'required'), tenants: z.array(z.string()), everyTenant: boxField };

const roleLists = ['tenants'] as const;
const invitationForm = z.object(roleFields);

/** Administrators and unused links, and invitations: a role, its tenants, and a link shown once. */
export const adminsRoutes = [
  get('/admins', 'auditor', showAdmins),
  get('/admins/links/:linkId/revoke', 'owner', async (context) => {
    const link = (await describePendingAdmin(context)).find(({ id }) => id === context.param('linkId'));
    return link === undefined ? makeRedirect('/admins', 'link-gone') : makePage('link-revoke', { link });
  }),
  post('/admins/links/:linkId/revoke', 'owner', revokeAdminLink),
  get('/admins/invite', 'owner', (context) => showAdminInvitation(context)),
  post('/admins/invite', 'owner', inviteAdmin),
  get('/admins/:adminId', 'auditor', (context) => showAdmin(context)),
  post('/admins/:adminId', 'owner', saveAdminChange),
  post('/admins/:adminId/reset-link', 'owner', async (context) => {
    const { id, name } = await getShownAdmin(context);
    const link = await context.links.createResetLink(context.actor, id);
    return showAdminLinkOnce(context, link, name);
  }),
  post('/admins/:adminId/sessions/:sessionId/end', 'owner', async (context) => {
    const admin = await getShownAdmin(context);
    await context.sessions.endSession(context.actor, admin, context.param('sessionId'));
    return makeRedirect(`/admins/${admin.id}`, 'session-ended');
  }),
  get('/admins/:adminId/remove', 'owner', (context) => showRemoveAdmin(context)),
  post('/admins/:adminId/remove', 'owner', removeOtherAdmin),
];

async function showAdmins(context: SignedInContext): Promise<Reply> {
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
    pending: await describePendingAdmin(context),
    mapping: admins.roleMapping,
    unknownTenants: await admins.findUnknownRuleTenants(),
  });
}

async function revokeAdminLink({ actor, param, links }: SignedInContext): Promise<Reply> {
  try {
    await links.revokeLink(actor, param('linkId'));
    return makeRedirect('/admins', 'link-revoked');
  } catch (error) {
    if (hasErrorCode(error, 'LINK_INVALID')) return makeRedirect('/admins', 'link-gone');
    throw error;
  }
}

async function showAdminInvitation({ tenants }: AdminDeps, form = fillForm({ role: 'manager' })): Promise<PageReply> {
  return makePage('admin-invite', { form, tenants: await readTenantChoices(tenants, null) });
}

function inviteAdmin(context: SignedInContext): Promise<Reply> {
  return submitForm(context, {
    schema: invitationForm,
    lists: roleLists,
    show: (form) => showAdminInvitation(context, form),
    async save(chosen) {
      const invitation = { role: chosen.role, tenants: readAdminRoleScope(chosen) };
      return showAdminLinkOnce(context, await context.links.createInvitation(context.actor, invitation));
    },
  });
}

async function describePendingAdmin({ links, admins, tenants }: AdminFaceDeps) {
  const described = (await links.listLinks()).map(async (link) => ({
    ...link,
    adminName: link.adminId === null ? null : ((await admins.findAdmin(link.adminId))?.name ?? null),
    tenantNames: await describeTenants(tenants, link.tenants),
  }));
  return Promise.all(described);
}

const changeForm = z.object({ ...roleFields, version: versionField });

async function getShownAdmin({ param, admins }: SignedInContext): Promise<AdminView> {
  const admin = await admins.findAdmin(param('adminId'));
  if (admin === null)
    throw new AppError('ADMIN_UNKNOWN', 'This administrator does not exist (any more). Go back to the list.');
  return admin;
}

async function showAdmin(context: SignedInContext, form?: FormState): Promise<PageReply> {
  const admin = await getShownAdmin(context);
  const choices = await readTenantChoices(context.tenants, null);
  const listedIds = new Set(choices.map(({ id }) => id));
  // Chosen tenants that would not be shown, because there are too many, come first.
  const unlisted = (admin.tenants ?? []).filter((id) => !listedIds.has(id)).map((id) => ({ id, name: id }));
  const everyTenant = admin.role !== 'owner' && admin.tenants === null ? '1' : [];
  const values = { version: String(admin.version), role: admin.role, tenants: admin.tenants ?? [], everyTenant };
  return makePage('admin', {
    admin,
    tenants: [...unlisted, ...choices],
    sessions: await context.sessions.listSessions(admin.id),
    currentId: context.signedIn.session.id,
    home: `/admin/admins/${admin.id}`,
    isSelf: isSelf(context, admin),
    tenantNames: await describeTenants(context.tenants, admin.tenants),
    mapping: context.admins.roleMapping,
    form: form ?? fillForm(values),
  });
}

async function saveAdminChange(context: SignedInContext): Promise<Reply> {
  const admin = await getShownAdmin(context);
  return submitForm(context, {
    schema: changeForm,
    lists: roleLists,
    show: (form) => showAdmin(context, form),
    async save({ version, role, ...chosen }) {
      const tenants = readAdminRoleScope({ role, ...chosen });
      await context.admins.changeAdmin(context.actor, admin.id, { version, role, tenants });
      // Whoever is no owner any more may not see this page.
      const losesAccess = isSelf(context, admin) && role !== 'owner';
      return makeRedirect(losesAccess ? '' : `/admins/${admin.id}`, 'admin-changed');
    },
  });
}

async function showRemoveAdmin(context: SignedInContext, form = fillForm({}), status = 200): Promise<Reply> {
  const admin = await getShownAdmin(context);
  const isLast = admin.role === 'owner' && (await context.admins.countAdmins('owner')) === 1;
  return makePage('admin-remove', { admin, form, isSelf: isSelf(context, admin), isLast }, { status });
}

async function removeOtherAdmin(context: SignedInContext): Promise<Reply> {
  const admin = await getShownAdmin(context);
  try {
    await context.admins.removeAdmin(context.actor, admin.id);
  } catch (error) {
    return showRemoveAdmin(context, refuseForm(error, context), 409);
  }
  return isSelf(context, admin) ? makeRedirect('/sign-in', 'self-removed') : makeRedirect('/admins', 'admin-removed');
}

const isSelf = ({ signedIn }: SignedInContext, { id }: AdminView): boolean => id === signedIn.admin.id;

/** Shows a link, as no other page does. @param name of its holder; absent for an invitation */
function showAdminLinkOnce({ publicUrl }: SignedInContext, { path, expiresAt }: OneTimeLink, name?: string) {
  const kind = name === undefined ? 'invitation' : 'reset';
  return makePage('admin-link', { kind, name: name ?? null, address: `${publicUrl}${path}`, expiresAt });
}

/** Reads the scope that the role can have. The service refuses missing tenants. */
function readAdminRoleScope(chosen: {
  readonly role: AdminRole;
  readonly tenants: readonly string[];
  readonly everyTenant: boolean;
}): TenantScope {
  if (chosen.role === 'owner') return null;
  return chosen.role !== 'manager' && chosen.everyTenant ? null : chosen.tenants;
}
