import { isInScope, type TenantScope } from '#domain/admin';
import type { Translate } from '#faces/words/i18n';
import type { AuditEntry, AuditFilter } from '#ports/store/store';
import { auditActions } from '#services/tenants/audit';
import { type CsvColumn, writeCsvLines } from '../../csv.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { readPeriod } from '../lists/lists.ts';
import type { Reply, SignedInContext } from '../route.ts';

/** The fields of the filter. */
export const filterNames = ['q', 'action', 'tenant', 'from', 'until'] as const;

/** What the fields of the filter show. */
type Shown = Readonly<Record<(typeof filterNames)[number], string>>;

const MAX_LENGTH = 100;

/** Read `q`, `action`, `tenant`, and the days `from` and `until`; what cannot be used counts as not
 *  chosen. */
export function readAuditFilter(
  query: URLSearchParams,
  scope: TenantScope,
): { readonly filter: AuditFilter; readonly shown: Shown; readonly isFiltered: boolean } {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, MAX_LENGTH);
  const action = auditActions.find((each) => each === text('action')) ?? null;
  const tenant = isInScope(scope, text('tenant')) ? text('tenant') : '';
  const { period, from, until } = readPeriod(query);
  const shown: Shown = { q: text('q'), action: action ?? '', tenant, from, until };
  return {
    filter: { scope: tenant === '' ? scope : [tenant], action, period, search: shown.q },
    shown,
    isFiltered: Object.values(shown).some((value) => value !== ''),
  };
}

/** Exports all matches of the filter, oldest first, as CSV or JSON Lines. The audit trail of each
 *  tenant records the export. */
export async function exportAudit(
  { form, signedIn, actor, t }: SignedInContext,
  { audit, clock }: Pick<AdminFaceDeps, 'audit' | 'clock'>,
): Promise<Reply> {
  const { filter, shown } = readAuditFilter(form, signedIn.admin.tenants);
  const isCsv = form.get('format') !== 'jsonl';
  const chosen = filterNames.filter((name) => shown[name] !== '').map((name) => [name, shown[name]]);
  const details = Object.fromEntries([['format', isCsv ? 'csv' : 'jsonl'], ...chosen]);
  for (const tenantId of filter.scope ?? [null])
    await audit.record(actor, { action: 'audit.exported', tenantId, target: 'audit', details });
  const entries = audit.readEntries(filter);
  return {
    kind: 'download',
    name: `audit-${clock.now().toISOString().slice(0, 10)}.${isCsv ? 'csv' : 'jsonl'}`,
    type: isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    lines: isCsv ? writeCsvLines(columns(t), entries) : jsonLines(entries),
  };
}

async function* jsonLines(entries: AsyncIterable<AuditEntry>): AsyncIterable<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}

function columns(t: Translate): CsvColumn<AuditEntry>[] {
  const column = (name: string, value: CsvColumn<AuditEntry>['value']) => ({
    heading: t(`audit.columns.${name}`),
    value,
  });
  return [
    column('at', ({ at }) => at),
    column('actor', ({ actor }) => actor.name),
    column('actorKind', ({ actor }) => actor.kind),
    column('address', ({ actor }) => actor.address),
    column('action', ({ action }) => action),
    column('target', ({ target }) => target),
    column('tenantId', ({ tenantId }) => tenantId),
    column('details', ({ details }) =>
      Object.entries(details)
        .map(([name, value]) => `${name}: ${value}`)
        .join('; '),
    ),
  ];
}
