import { z } from 'zod';
import { AppError } from '#errors';
import type { Languages } from '#faces/words/i18n';
import type { LinkGiven } from '#services/tenants/admins/admin-links';
import type { ShownAdmin } from '#services/tenants/admins/admin-records';
import type { AdminFaceDeps } from '../deps.ts';
import { versionField } from '../forms/fields.ts';
import { type FormState, fillForm, readForm, refuseForm } from '../forms/forms.ts';
import {
  type AdminRoute,
  makePage,
  makeRedirect,
  type PageReply,
  type Reply,
  type SignedInContext,
} from '../route.ts';
import { readTenantChoices } from '../tenants/tenant-choices.ts';
import { fillRoleForm, listRoleTenantChoices, readRoleScope, roleFields, roleLists } from './role-form.ts';

const changeForm = z.object({ ...roleFields, version: versionField });

/** One administrator: their role, a link for a new password, and their removal. */
export function adminRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const { admins, links, tenants, publicUrl } = deps;

  async function getAdmin({ param }: Pick<SignedInContext, 'param'>): Promise<ShownAdmin> {
    const admin = await admins.findAdmin(param('adminId'));
    if (admin === null)
      throw new AppError(
        'ADMIN_UNKNOWN',
        'This administrator does not exist (any more). Go back to the list.',
      );
    return admin;
  }

  async function show(context: SignedInContext, form?: FormState): Promise<Reply> {
    const admin = await getAdmin(context);
    const choices = listRoleTenantChoices(await readTenantChoices(tenants, null), admin.tenants ?? []);
    const model = {
      admin,
      tenants: choices,
      isSelf: isSelf(context, admin),
      form: form ?? fillRoleForm(admin, { version: String(admin.version) }),
    };
    return makePage('admin', model, { status: form === undefined ? 200 : 422 });
  }

  async function change(context: SignedInContext): Promise<Reply> {
    const { form, t, actor } = context;
    const admin = await getAdmin(context);
    const read = readForm(form, { schema: changeForm, lists: roleLists, t });
    if ('state' in read) return show(context, read.state);
    const { version, role } = read.data;
    try {
      await admins.changeAdmin(actor, admin.id, { version, role, tenants: readRoleScope(read.data) });
    } catch (error) {
      return show(context, refuseForm(error, { form, t, languages }));
    }
    // Without ownership, the list can no longer be seen.
    const isOut = isSelf(context, admin) && role !== 'owner';
    return makeRedirect(isOut ? '' : `/admins/${admin.id}`, 'admin-changed');
  }

  async function askRemove(context: SignedInContext, more: { form: FormState; status?: number }) {
    const admin = await getAdmin(context);
    const { form, status = 200 } = more;
    const isLast = admin.role === 'owner' && (await admins.countAdmins('owner')) === 1;
    return makePage('admin-remove', { admin, form, isSelf: isSelf(context, admin), isLast }, { status });
  }

  async function remove(context: SignedInContext): Promise<Reply> {
    const { form, t } = context;
    const admin = await getAdmin(context);
    try {
      await admins.removeAdmin(context.actor, admin.id);
    } catch (error) {
      return askRemove(context, { form: refuseForm(error, { form, t, languages }), status: 409 });
    }
    return isSelf(context, admin)
      ? makeRedirect('/sign-in', 'self-removed')
      : makeRedirect('/admins', 'admin-removed');
  }

  return [
    { method: 'get', path: '/admins/:adminId', access: 'owner', handle: (context) => show(context) },
    { method: 'post', path: '/admins/:adminId', access: 'owner', handle: change },
    {
      method: 'post',
      path: '/admins/:adminId/reset-link',
      access: 'owner',
      async handle(context) {
        const { id, name } = await getAdmin(context);
        const given = await links.createResetLink(context.actor, id);
        return showAdminLinkOnce(given, { publicUrl, kind: 'reset', name });
      },
    },
    {
      method: 'get',
      path: '/admins/:adminId/remove',
      access: 'owner',
      handle: (context) => askRemove(context, { form: fillForm({}) }),
    },
    { method: 'post', path: '/admins/:adminId/remove', access: 'owner', handle: remove },
  ];
}

function isSelf({ signedIn }: SignedInContext, { id }: ShownAdmin): boolean {
  return id === signedIn.admin.id;
}

interface LinkFor {
  readonly publicUrl: string;
  readonly kind: 'invitation' | 'reset';
  /** Whose password it resets. */
  readonly name: string | null;
}

/** The only page that ever shows a link's address. */
export function showAdminLinkOnce(
  { path, expiresAt }: LinkGiven,
  { publicUrl, kind, name }: LinkFor,
): PageReply {
  return makePage('admin-link', { kind, name, address: `${publicUrl}${path}`, expiresAt });
}
