import { foldText, foldTexts } from '../../../../domain/text.ts';
import type { FeedbackRecord, TenantCount } from '../../../../ports/store/store.ts';
import { instant, integer, nullable, text } from '../columns.ts';
import type { Condition } from '../list-page.ts';
import { defineTable } from '../table.ts';

export const feedback = defineTable<FeedbackRecord>('feedback', {
  columns: {
    id: text(),
    tenantId: text(),
    url: text(),
    comment: nullable(text()),
    requestId: text(),
    email: text(),
    source: text(),
    provider: nullable(text()),
    receivedAt: instant,
    state: text(),
    attempts: integer,
    failures: integer,
    dueAt: instant,
    leasedUntil: nullable(instant),
    lastError: nullable(text()),
    destination: nullable(text()),
    giverHash: nullable(text()),
  },
  derived: {
    url_folded: ({ url }) => foldText(url),
    search_text: ({ url, comment, email }) => foldTexts(url, comment, email),
    email_folded: ({ email }) => email.toLowerCase(),
  },
});

/** Redundant beside another state, but lets the index of undelivered feedback be used. */
export const undelivered: Condition = { sql: `state <> 'delivered'`, values: [] };

/** Counts the rows of a statement with `RETURNING tenant_id`, in the order of the tenants' ids. */
export function countFeedbackTableRows(rows: readonly unknown[]): readonly TenantCount[] {
  const counts = new Map<string, number>();
  for (const { tenant_id: tenantId } of rows as readonly { readonly tenant_id: string }[])
    counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
  return [...counts.keys()].sort().map((tenantId) => ({ tenantId, count: counts.get(tenantId) ?? 0 }));
}
