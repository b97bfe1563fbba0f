import type { AuditEntry } from '../../../src/ports/store/store.ts';
import type { RunningAdmin } from './start-admin.ts';

/** The audit trail, oldest first. */
export async function readAudit({ deps }: RunningAdmin): Promise<readonly AuditEntry[]> {
  const everything = { scope: null, action: null, period: { from: null, until: null }, search: '' };
  const entries: AuditEntry[] = [];
  for await (const entry of deps.audit.readEntries(everything)) entries.push(entry);
  return entries;
}
