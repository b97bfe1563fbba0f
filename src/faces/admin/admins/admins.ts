import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import type { LinkGiven } from '../../../services/admins/admin-links.ts';
import type { Languages } from '../../words/i18n.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, formOf, readForm, refusedForm } from '../forms/forms.ts';
import { listModel, readListChoice } from '../lists/lists.ts';
import {
  type AdminRoute,
  type PageReply,
  page,
  type Reply,
  redirect,
  type SignedInContext,
} from '../route.ts';
import { describeTenants, readTenantChoices } from '../tenants/tenant-choices.ts';
import { roleFields, roleLists, scopeOf } from './role-form.ts';

const invitationForm = z.object(roleFields);

interface LinkFor {
  readonly publicUrl: string;
  readonly kind: 'invitation' | 'reset';
  /** Whose password it resets. */
  readonly name: string | null;
}

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

/** Invite somebody: a role, its tenants, and a link that is shown once. */
export function adminInviteRoutes(
  { links, tenants, publicUrl }: AdminFaceDeps,
  languages: Languages,
): AdminRoute[] {
  async function show(form: FormState, status = 200): Promise<Reply> {
    return page('admin-invite', { form, tenants: await readTenantChoices(tenants, null) }, { status });
  }

  async function invite({ form, t, actor }: SignedInContext): Promise<Reply> {
    const read = readForm(form, { schema: invitationForm, lists: roleLists, t });
    if ('state' in read) return show(read.state, 422);
    const { role } = read.data;
    try {
      const given = await links.createInvitation(actor, { role, tenants: scopeOf(read.data) });
      return showLinkOnce(given, { publicUrl, kind: 'invitation', name: null });
    } catch (error) {
      return show(refusedForm(error, { form, t, languages }), 422);
    }
  }

  return [
    {
      method: 'get',
      path: '/admins/invite',
      access: 'owner',
      handle: () => show(formOf({ role: 'manager' })),
    },
    { method: 'post', path: '/admins/invite', access: 'owner', handle: invite },
  ];
}

/** The only page that a link's address is ever on. */
export function showLinkOnce({ path, expiresAt }: LinkGiven, { publicUrl, kind, name }: LinkFor): PageReply {
  return page('admin-link', { kind, name, address: `${publicUrl}${path}`, expiresAt });
}
