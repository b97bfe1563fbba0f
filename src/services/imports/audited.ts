import type { Actor } from '../../domain/admin.ts';
import type { ImportRecord } from '../../ports/store/store.ts';
import type { Audit, AuditAction } from '../audit.ts';

/** Imports belong to the whole host. */
function recordImport(audit: Audit, actor: Actor, action: AuditAction, record: ImportRecord): Promise<void> {
  const { number, format, dataset, title, state, counts, problem } = record;
  const found = Object.entries(counts).map(([name, count]) => [name, `${count}`]);
  const details = {
    number: `${number}`,
    format,
    dataset,
    state,
    ...Object.fromEntries(found),
    ...(problem !== null && { problem }),
  };
  return audit.record(actor, { action, tenantId: null, target: title, details });
}

export function recordEnd(audit: Audit, actor: Actor, record: ImportRecord): Promise<void> {
  return recordImport(audit, actor, record.state === 'failed' ? 'import.failed' : 'import.ended', record);
}

export function recordStop(audit: Audit, actor: Actor, record: ImportRecord): Promise<void> {
  return recordImport(audit, actor, 'import.stopped', record);
}

export function recordUndo(audit: Audit, actor: Actor, record: ImportRecord): Promise<void> {
  return recordImport(audit, actor, 'import.undone', record);
}
