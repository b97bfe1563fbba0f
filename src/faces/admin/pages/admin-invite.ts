import { z } from 'zod';
import type { LinkGiven } from '../../../services/admins/admin-links.ts';
import type { Languages } from '../../words/i18n.ts';
import { roleFields, roleLists, scopeOf } from '../admins/role-form.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, formOf, readForm, refusedForm } from '../forms/forms.ts';
import { type AdminRoute, type PageReply, page, type Reply, type SignedInContext } from '../route.ts';
import { readTenantChoices } from '../tenants/tenant-choices.ts';

const invitationForm = z.object(roleFields);

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

interface LinkFor {
  readonly publicUrl: string;
  readonly kind: 'invitation' | 'reset';
  /** Whose password it resets. */
  readonly name: string | null;
}

/** The only page that a link's address is ever on. */
export function showLinkOnce({ path, expiresAt }: LinkGiven, { publicUrl, kind, name }: LinkFor): PageReply {
  return page('admin-link', { kind, name, address: `${publicUrl}${path}`, expiresAt });
}
