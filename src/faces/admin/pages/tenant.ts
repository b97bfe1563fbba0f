import { DEFAULT_TENANT } from '../../../domain/tenant.ts';
import { hostEmail } from '../../../services/feedback/shared-email.ts';
import { languageName } from '../../words/language-names.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type AdminRoute, page } from '../route.ts';
import { readKeyHints } from '../upstream/upstream-keys.ts';

/** The settings of one tenant at a glance. */
export function tenantRoutes({ tenants, upstreams, apiKeys, publicUrl }: AdminFaceDeps): AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/tenants/:tenantId',
      access: 'viewer',
      async handle({ params, locale }) {
        const tenant = await tenants.getTenant(params.tenantId!);
        const [hints, keys] = await Promise.all([
          readKeyHints(upstreams, tenant),
          apiKeys.listApiKeys({
            scope: [tenant.id],
            search: '',
            sort: 'name',
            descending: false,
            page: 0,
            pageSize: 1,
          }),
        ]);
        const { lang } = tenant.defaults;
        return page('tenant', {
          tenant,
          isDefault: tenant.id === DEFAULT_TENANT,
          hints,
          hostEmail: hostEmail(publicUrl),
          keyCount: keys.total,
          language: lang === null ? null : languageName(lang, locale),
        });
      },
    },
  ];
}
