import { z } from 'zod';
import { AppError } from '#errors';
import type { LinkGiven } from '#services/tenants/admins/admin-links';
import type { AdminView } from '#services/tenants/admins/admin-records';
import type { AdminDeps } from '../deps.ts';
import { versionField } from '../forms/fields.ts';
import { type FormState, fillForm, readForm, refuseForm } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type PageReply, type Reply, type SignedInContext } from '../route.ts';
import { readTenantChoices } from '../tenants/tenant-choices.ts';
import { fillRoleForm, listRoleTenantChoices, readRoleScope, roleFields, roleLists } from './role-form.ts';

const changeForm = z.object({ ...roleFields, version: versionField });

/** One administrator: their role, a link for a new password, and their removal. */
export const adminRoutes: AdminRoute[] = [
  {
    method: 'get',
    path: '/admins/:adminId',
    access: 'owner',
    handle: (context, deps) => showAdmin(context, deps),
  },
  { method: 'post', path: '/admins/:adminId', access: 'owner', handle: changeAdmin },
  {
    method: 'post',
    path: '/admins/:adminId/reset-link',
    access: 'owner',
    async handle(context, deps) {
      const { id, name } = await getAdmin(context, deps);
      const link = await deps.links.createResetLink(context.actor, id);
      return showAdminLinkOnce(link, { publicUrl: deps.publicUrl, kind: 'reset', name });
    },
  },
  {
    method: 'get',
    path: '/admins/:adminId/remove',
    access: 'owner',
    handle: (context, deps) => showRemoveAdmin(context, deps, { form: fillForm({}) }),
  },
  { method: 'post', path: '/admins/:adminId/remove', access: 'owner', handle: removeAdmin },
];

async function getAdmin({ param }: Pick<SignedInContext, 'param'>, { admins }: AdminDeps): Promise<AdminView> {
  const admin = await admins.findAdmin(param('adminId'));
  if (admin === null)
    throw new AppError('ADMIN_UNKNOWN', 'This administrator does not exist (any more). Go back to the list.');
  return admin;
}

async function showAdmin(context: SignedInContext, deps: AdminDeps, form?: FormState): Promise<Reply> {
  const { tenants } = deps;
  const admin = await getAdmin(context, deps);
  const choices = listRoleTenantChoices(await readTenantChoices(tenants, null), admin.tenants ?? []);
  const model = {
    admin,
    tenants: choices,
    isSelf: isSelf(context, admin),
    form: form ?? fillRoleForm(admin, { version: String(admin.version) }),
  };
  return makePage('admin', model, { status: form === undefined ? 200 : 422 });
}

async function changeAdmin(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { admins, languages } = deps;
  const { form, t, actor } = context;
  const admin = await getAdmin(context, deps);
  const read = readForm(form, { schema: changeForm, lists: roleLists, t });
  if ('state' in read) return showAdmin(context, deps, read.state);
  const { version, role } = read.data;
  try {
    await admins.changeAdmin(actor, admin.id, { version, role, tenants: readRoleScope(read.data) });
  } catch (error) {
    return showAdmin(context, deps, refuseForm(error, { form, t, languages }));
  }
  // Without ownership, the list can no longer be seen.
  const isOut = isSelf(context, admin) && role !== 'owner';
  return makeRedirect(isOut ? '' : `/admins/${admin.id}`, 'admin-changed');
}

async function showRemoveAdmin(context: SignedInContext, deps: AdminDeps, more: { form: FormState; status?: number }) {
  const { admins } = deps;
  const admin = await getAdmin(context, deps);
  const { form, status = 200 } = more;
  const isLast = admin.role === 'owner' && (await admins.countAdmins('owner')) === 1;
  return makePage('admin-remove', { admin, form, isSelf: isSelf(context, admin), isLast }, { status });
}

async function removeAdmin(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { admins, languages } = deps;
  const { form, t } = context;
  const admin = await getAdmin(context, deps);
  try {
    await admins.removeAdmin(context.actor, admin.id);
  } catch (error) {
    return showRemoveAdmin(context, deps, { form: refuseForm(error, { form, t, languages }), status: 409 });
  }
  return isSelf(context, admin) ? makeRedirect('/sign-in', 'self-removed') : makeRedirect('/admins', 'admin-removed');
}

function isSelf({ signedIn }: SignedInContext, { id }: AdminView): boolean {
  return id === signedIn.admin.id;
}

interface LinkFor {
  readonly publicUrl: string;
  readonly kind: 'invitation' | 'reset';
  /** Whose password it resets. */
  readonly name: string | null;
}

/** The only page that ever shows a link's address. */
export function showAdminLinkOnce({ path, expiresAt }: LinkGiven, { publicUrl, kind, name }: LinkFor): PageReply {
  return makePage('admin-link', { kind, name, address: `${publicUrl}${path}`, expiresAt });
}
