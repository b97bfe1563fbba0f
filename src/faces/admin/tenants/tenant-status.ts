import { DEFAULT_TENANT } from '../../../domain/tenant.ts';
import type { TenantRecord } from '../../../ports/store/store.ts';
import { tenantUnknown } from '../access.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { countFeedback } from '../feedback/feedback-filter.ts';
import { type FormState, formOf } from '../forms/forms.ts';
import { type AdminRoute, page, type Reply, redirect, type SignedInContext } from '../route.ts';

/** Disabling, enabling and deleting a tenant: a page that says what will happen, and then the act. */
export function tenantStatusRoutes({ tenants, apiKeys, feedback }: AdminFaceDeps): AdminRoute[] {
  async function showSwitch(view: string, { params }: SignedInContext): Promise<Reply> {
    const tenant = await tenants.getTenant(params.tenantId!);
    return page(view, { tenant, isDefault: tenant.id === DEFAULT_TENANT });
  }

  async function showDelete(tenant: TenantRecord, form: FormState, status = 200): Promise<Reply> {
    const scope = [tenant.id];
    const list = { search: '', sort: 'name', descending: false, page: 0, pageSize: 1 } as const;
    const [keys, feedbackCount] = await Promise.all([
      apiKeys.listApiKeys({ ...list, scope }),
      countFeedback(feedback, { scope }),
    ]);
    const counts = { keyCount: keys.total, feedbackCount };
    const isDefault = tenant.id === DEFAULT_TENANT;
    return page('tenant-delete', { tenant, form, isDefault, ...counts }, { status });
  }

  /** Also one whose removal was broken off, so that it can be finished here. Errors: TENANT_UNKNOWN. */
  async function getRemovable({ params }: SignedInContext): Promise<TenantRecord> {
    const tenant = await tenants.findTenant(params.tenantId!);
    if (tenant === null) throw tenantUnknown(params.tenantId!);
    return tenant;
  }

  async function remove(context: SignedInContext): Promise<Reply> {
    const { form, t, actor } = context;
    const tenant = await getRemovable(context);
    const typed = form.get('confirmName') ?? '';
    if (tenant.id !== DEFAULT_TENANT && !isSameName(typed, tenant.name)) {
      const problem = t(typed.trim() === '' ? 'problems.required' : 'problems.notTheName');
      const state = { ...formOf({ confirmName: typed }), problems: { confirmName: problem } };
      return showDelete(tenant, state, 422);
    }
    await tenants.deleteTenant(actor, tenant.id);
    return redirect('/tenants', 'tenant-deleted');
  }

  return [
    {
      method: 'get',
      path: '/tenants/:tenantId/disable',
      access: 'owner',
      handle: (context) => showSwitch('tenant-disable', context),
    },
    {
      method: 'post',
      path: '/tenants/:tenantId/disable',
      access: 'owner',
      async handle({ params, actor }) {
        await tenants.disableTenant(actor, params.tenantId!);
        return redirect(`/tenants/${params.tenantId}`, 'tenant-disabled');
      },
    },
    {
      method: 'get',
      path: '/tenants/:tenantId/enable',
      access: 'owner',
      handle: (context) => showSwitch('tenant-enable', context),
    },
    {
      method: 'post',
      path: '/tenants/:tenantId/enable',
      access: 'owner',
      async handle({ params, actor }) {
        await tenants.enableTenant(actor, params.tenantId!);
        return redirect(`/tenants/${params.tenantId}`, 'tenant-enabled');
      },
    },
    {
      method: 'get',
      path: '/tenants/:tenantId/delete',
      access: 'owner',
      handle: async (context) => showDelete(await getRemovable(context), formOf({})),
    },
    { method: 'post', path: '/tenants/:tenantId/delete', access: 'owner', handle: remove },
  ];
}

/** Browsers show several blanks as one, so nobody could type them as they are. */
function isSameName(typed: string, name: string): boolean {
  const [a, b] = [typed, name].map((text) => text.trim().replaceAll(/\s+/g, ' '));
  return a === b;
}
