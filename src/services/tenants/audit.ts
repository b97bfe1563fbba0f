import { randomBytes } from 'node:crypto';
import type { Actor } from '#domain/admin';
import type { Clock } from '#ports/clock';
import type { AuditEntry, AuditFilter, AuditRepository, PageRequest } from '#ports/store/store';
import { readEveryItemAfter } from '#services/host/every-item';

/** Actions by the kind of thing that they change: `api-key.created`. */
const actionsOfKind = {
  tenant: ['created', 'changed', 'upstream-changed', 'key-saved', 'key-removed', 'disabled', 'enabled', 'deleted'],
  'api-key': ['created', 'replaced', 'revoked'],
  feedback: ['retried', 'exported', 'erased'],
  audit: ['exported'],
  admin: [
    'joined',
    'changed',
    'removed',
    'password-changed',
    'signed-in',
    'second-factor-set',
    'second-factor-removed',
    'session-ended',
    'signed-out-everywhere',
  ],
  link: ['created', 'revoked'],
  registration: [
    'created',
    'changed',
    'activated',
    'deactivated',
    'removed',
    'deployment-added',
    'deployment-removed',
    'scores-retried',
  ],
  workspace: ['connected', 'disconnected', 'removed-in-slack'],
  'slack-app': ['saved', 'removed'],
  assistant: ['connected', 'disconnected'],
  object: ['added', 'edited', 'hidden', 'shown', 'undone', 'suggested', 'approved', 'refused'],
  'dead-link': ['replaced', 'left', 'looked-again', 'undone'],
  'placed-object': ['replaced', 'undone'],
  import: ['ended', 'failed', 'stopped', 'rhythm', 'undone'],
  secrets: ['rotated', 'given-up'],
  store: ['restored', 'backed-up'],
  person: ['exported', 'erased'],
  retention: ['swept'],
} as const;

type ActionsOfKind = typeof actionsOfKind;
export type AuditAction = { [K in keyof ActionsOfKind]: `${K}.${ActionsOfKind[K][number]}` }[keyof ActionsOfKind];

export const auditActions = Object.entries(actionsOfKind).flatMap(([kind, actions]) =>
  actions.map((action) => `${kind}.${action}` as AuditAction),
);

export interface AuditEvent {
  readonly action: AuditAction;
  /** Null for an event of the whole host. */
  readonly tenantId: string | null;
  readonly target: string;
  /** Never secrets. */
  readonly details?: Readonly<Record<string, string>>;
}

export type Audit = ReturnType<typeof createAudit>;
const RANDOM_BYTES = 6;
const BATCH = 500;

export function createAudit({ audit, clock }: { audit: AuditRepository; clock: Clock }) {
  const nextId = createOrderedAuditIds();
  return {
    record(actor: Actor, { action, tenantId, target, details = {} }: AuditEvent): Promise<void> {
      const at = clock.now();
      return audit.addAuditEntry({ id: nextId(at), at, actor, tenantId, action, target, details });
    },
    listEntries: (request: AuditFilter & PageRequest & { readonly ascending: boolean }) =>
      audit.listAuditEntries(request),
    /** Reads all matching entries, oldest first. */
    readEntries: (filter: AuditFilter) =>
      readEveryItemAfter<AuditEntry>((after) => audit.readAuditEntries(filter, after, BATCH)),
  };
}

/** Creates a function that makes IDs. They sort in the order of their creation in this process,
 *  even within one millisecond. Shape: `<milliseconds>-<number>-<random>`, hexadecimal. */
function createOrderedAuditIds(): (now: Date) => string {
  let count = 0;
  return (now) => {
    count++;
    const random = randomBytes(RANDOM_BYTES).toString('hex');
    return `${toHex(now.getTime(), 12)}-${toHex(count, 8)}-${random}`;
  };
}

const toHex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** Describes a change by field: `{ 'defaults.lang': 'none → fr' }`. Empty if nothing changed. */
export function describeChangeForAudit(before: object, after: object): Readonly<Record<string, string>> {
  const [oldValues, newValues] = [flattenAuditValues(before), flattenAuditValues(after)];
  const names = [...new Set([...Object.keys(oldValues), ...Object.keys(newValues)])];
  const changed = names.filter((name) => oldValues[name] !== newValues[name]);
  const describe = (name: string) => `${cutAuditValue(oldValues[name])} → ${cutAuditValue(newValues[name])}`;
  return Object.fromEntries(changed.map((name) => [name, describe(name)]));
}

const NONE = 'none';
const MAX_SHOWN = 200;
const cutAuditValue = (text = NONE): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

function flattenAuditValues(values: object, prefix = ''): Record<string, string> {
  const entries = Object.entries(values).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.entries(flattenAuditValues(value as object, `${prefix}${name}.`));
    return [[prefix + name, showAuditValue(value)]];
  });
  return Object.fromEntries(entries);
}

function showAuditValue(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return NONE;
  return Array.isArray(value) ? value.join(', ') : String(value);
}
