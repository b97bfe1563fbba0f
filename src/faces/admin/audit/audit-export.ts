import type { AuditEntry } from '../../../ports/store/store.ts';
import type { Translate } from '../../words/i18n.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type CsvColumn, csvLines } from '../lists/csv.ts';
import type { Reply, SignedInContext } from '../route.ts';
import { filterNames, readAuditFilter } from './filter.ts';

/** Everything that the filter finds, oldest first, as CSV or as JSON Lines. Who took it along is in the audit trail of the
 *  tenants it was taken from. */
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
    lines: isCsv ? csvLines(columns(t), entries) : jsonLines(entries),
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
