import type { Translate } from '#faces/words/i18n';
import type { FeedbackRecord } from '#ports/store/store';
import type { Tenants } from '#services/tenants/tenants';
import type { AdminFaceDeps } from '../deps.ts';
import { type CsvColumn, makeCsvDownload } from '../lists/csv.ts';
import type { Reply, SignedInContext } from '../route.ts';
import { filterNames, readFeedbackFilter } from './feedback-filter.ts';

type Row = FeedbackRecord & { readonly tenantName: string };

/** Everything that the filter finds, as a file. The audit trail of each tenant says who took it. */
export async function exportFeedback(
  { form, signedIn, actor, t }: SignedInContext,
  { feedback, audit, tenants, clock }: Pick<AdminFaceDeps, 'feedback' | 'audit' | 'tenants' | 'clock'>,
): Promise<Reply> {
  const { filter, shown } = readFeedbackFilter(form, signedIn.admin.tenants);
  const chosen = filterNames.filter((name) => shown[name] !== '');
  // Without the search text: it may be the address of somebody who is erased later, and the trail stays.
  const details = Object.fromEntries(chosen.map((name) => [name, name === 'q' ? '…' : shown[name]]));
  for (const tenantId of filter.scope ?? [null]) {
    await audit.record(actor, { action: 'feedback.exported', tenantId, target: 'feedback', details });
  }
  const name = `feedback-${clock.now().toISOString().slice(0, 10)}.csv`;
  return makeCsvDownload(name, columns(t), withTenantNames(feedback.readFeedback(filter), tenants));
}

async function* withTenantNames(
  records: AsyncIterable<FeedbackRecord>,
  tenants: Tenants,
): AsyncIterable<Row> {
  const names = new Map<string, string>();
  for await (const record of records) {
    const { tenantId } = record;
    const known = names.get(tenantId);
    const tenantName = known ?? (await tenants.findTenant(tenantId))?.name ?? tenantId;
    names.set(tenantId, tenantName);
    yield { ...record, tenantName };
  }
}

function columns(t: Translate): CsvColumn<Row>[] {
  const column = (name: string, value: CsvColumn<Row>['value']) => ({
    heading: t(`feedback.columns.${name}`),
    value,
  });
  return [
    column('receivedAt', ({ receivedAt }) => receivedAt),
    column('tenantId', ({ tenantId }) => tenantId),
    column('tenant', ({ tenantName }) => tenantName),
    column('url', ({ url }) => url),
    column('provider', ({ provider }) => provider),
    column('comment', ({ comment }) => comment),
    column('email', ({ email }) => email),
    column('source', ({ source }) => source),
    column('state', ({ state }) => t(`feedback.states.${state}`)),
    column('attempts', ({ attempts }) => attempts),
    column('lastError', ({ lastError }) => lastError),
    column('requestId', ({ requestId }) => requestId),
  ];
}
