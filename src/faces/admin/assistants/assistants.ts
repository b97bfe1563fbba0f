import { ASSISTANT_PATH, listAssistantSetups } from '#domain/assistants';
import { AppError } from '#errors';
import type { ShownGrant } from '#services/tenants/assistants/assistants';
import type { AdminFaceDeps } from '../deps.ts';
import { CHART_DAYS, drawToolCharts } from '../overview/usage-charts.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { tenantListRoutes } from '../tenants/tenant-lists.ts';
import { connectRoutes } from './connect.ts';
import { ownAssistantsRoutes } from './own-assistants.ts';

/** The assistants that people of a tenant let in, what they call, and whether they may; letting one in, and one's own. */
export function assistantsRoutes(deps: AdminFaceDeps): AdminRoute[] {
  const { assistants, admins, tenants, usage } = deps;

  async function withNames(grants: readonly (ShownGrant & { readonly tenantName: string })[]) {
    return Promise.all(
      grants.map(async (grant) => ({
        ...grant,
        adminName: (await admins.findAdmin(grant.adminId))?.name ?? '',
      })),
    );
  }

  const path = '/tenants/:tenantId/assistants';
  return [
    ...connectRoutes(deps),
    ...ownAssistantsRoutes(deps),
    ...tenantListRoutes(tenants, {
      part: 'assistants',
      sorts: ['createdAt', 'clientName', 'lastUsedAt'],
      descending: true,
      find: (wanted) => assistants.grants.list({ ...wanted, adminId: null }),
      async show(grants, { scope, ...list }, words) {
        const [rows, report] = await Promise.all([withNames(grants), usage.report(scope, CHART_DAYS)]);
        return makePage('assistants', { ...list, grants: rows, charts: drawToolCharts(report, words) });
      },
    }),
    {
      method: 'get',
      path: `${path}/new`,
      access: 'manager',
      async handle({ param }) {
        const tenant = await tenants.getTenant(param('tenantId'));
        const { publicUrl } = deps;
        const model = { tenant, address: publicUrl + ASSISTANT_PATH, setups: listAssistantSetups(publicUrl) };
        return makePage('assistant-new', model);
      },
    },
    { method: 'post', path: `${path}/switch`, access: 'manager', handle: createSwitch(deps) },
    { method: 'post', path: `${path}/:grantId/end`, access: 'manager', handle: createEnd(deps) },
  ];
}

function createSwitch({ tenants }: AdminFaceDeps) {
  return async ({ param, form, actor }: SignedInContext): Promise<Reply> => {
    const { id, version } = await tenants.getTenant(param('tenantId'));
    const hasAssistants = form.get('on') === 'yes';
    await tenants.changeTenant(actor, id, { version, hasAssistants });
    return makeRedirect(`/tenants/${id}/assistants/new`, hasAssistants ? 'assistants-on' : 'assistants-off');
  };
}

/** Errors: ASSISTANT_UNKNOWN for one of another tenant, too. */
function createEnd({ assistants }: AdminFaceDeps) {
  return async ({ param, actor }: SignedInContext): Promise<Reply> => {
    const id = param('grantId');
    const grant = await assistants.grants.find(id);
    if (grant !== null && grant.tenantId !== param('tenantId'))
      throw new AppError('ASSISTANT_UNKNOWN', 'This tenant has no such assistant.');
    // Pressing twice is the same as pressing once.
    if (grant !== null) await assistants.grants.end(actor, id);
    return makeRedirect(`/assistants?tenant=${param('tenantId')}`, 'assistant-ended');
  };
}
