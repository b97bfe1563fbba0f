import { covers, type TenantScope } from '../../../domain/admin.ts';
import type { AuditFilter } from '../../../ports/store/store.ts';
import { auditActions } from '../../../services/audit.ts';
import { readPeriod } from '../forms/read-period.ts';

/** The fields of the filter. */
export const filterNames = ['q', 'action', 'tenant', 'from', 'until'] as const;

/** What the fields of the filter show. */
type Shown = Readonly<Record<(typeof filterNames)[number], string>>;

const MAX_LENGTH = 100;

/** Read `q`, `action`, `tenant`, and the days `from` and `until`; what cannot be used counts as not chosen. */
export function readAuditFilter(
  query: URLSearchParams,
  scope: TenantScope,
): { readonly filter: AuditFilter; readonly shown: Shown; readonly isFiltered: boolean } {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, MAX_LENGTH);
  const action = auditActions.find((known) => known === text('action')) ?? null;
  const tenant = covers(scope, text('tenant')) ? text('tenant') : '';
  const { period, from, until } = readPeriod(query);
  const shown: Shown = { q: text('q'), action: action ?? '', tenant, from, until };
  return {
    filter: { scope: tenant === '' ? scope : [tenant], action, period, search: shown.q },
    shown,
    isFiltered: Object.values(shown).some((value) => value !== ''),
  };
}
