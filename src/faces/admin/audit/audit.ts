import type { AuditEntry } from '../../../ports/store/store.ts';
import { auditActions } from '../../../services/audit.ts';
import type { Languages } from '../../words/i18n.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { listModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, page, type Reply, type SignedInContext } from '../route.ts';
import { readTenantChoices, type TenantChoice, withChosenTenant } from '../tenants/tenant-choices.ts';
import { exportAudit } from './audit-export.ts';
import { describeDetails, describeSubject } from './describe-details.ts';
import { filterNames, readAuditFilter } from './filter.ts';

const AUDIT = '/audit';

/** Who changed what, when, from where. */
export function auditRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const { audit, tenants } = deps;

  async function list({ query, signedIn, t }: SignedInContext): Promise<Reply> {
    const scope = signedIn.admin.tenants;
    const { filter, shown, isFiltered } = readAuditFilter(query, scope);
    const choice = readListChoice(query, ['at'], true);
    const [found, choices] = await Promise.all([
      audit.listEntries({ ...filter, ...choice, search: filter.search, ascending: !choice.descending }),
      readTenantChoices(tenants, scope),
    ]);
    const describe = (entry: AuditEntry) => {
      const key = `audit.actions.${entry.action}`;
      return {
        ...entry,
        what: languages.has(key) ? t(key) : entry.action,
        subject: describeSubject(entry, t),
        tenantName: nameOf(entry.tenantId, choices),
        details: describeDetails(entry, t, languages),
      };
    };
    return page('audit', {
      list: listModel({ path: AUDIT, query, choice }, found),
      entries: found.items.map(describe),
      filter: shown,
      isFiltered,
      filterNames,
      actions: auditActions,
      tenants: withChosenTenant(choices, shown.tenant),
    });
  }

  return [
    { method: 'get', path: AUDIT, access: 'viewer', handle: list },
    {
      method: 'post',
      path: `${AUDIT}/export`,
      access: 'manager',
      handle: (context) => exportAudit(context, deps),
    },
  ];
}

/** A tenant that is gone, or one too many to list, is called by its id. */
function nameOf(id: string | null, choices: readonly TenantChoice[]): string | null {
  return choices.find((choice) => choice.id === id)?.name ?? id;
}
