import { adminRoles, type TenantScope } from '#domain/admin';
import type { Languages, Translate } from '#faces/words/i18n';
import type { AuditEntry } from '#ports/store/store';
import { auditActions } from '#services/tenants/audit';
import { type CsvColumn, toCsvColumns, writeCsvLines, writeJsonLines } from '../../downloads.ts';
import { createListModel, describeListFilter, readListChoice, readListFilter } from '../lists/lists.ts';
import { get, makePage, post, type Reply, type SignedInContext } from '../route.ts';
import { readTenantChoices, withChosenTenant } from '../tenants/tenant-lists.ts';

const AUDIT = '/audit';
export const auditRoutes = [get(AUDIT, 'viewer', listAudit), post(`${AUDIT}/export`, 'manager', exportAudit)];

async function listAudit({ query, signedIn, t, audit, languages, tenants }: SignedInContext): Promise<Reply> {
  const scope = signedIn.admin.tenants;
  const { filter, formValues } = readAuditFilter(query, scope);
  const choice = readListChoice(query, ['at'], true);
  const [result, choices] = await Promise.all([
    audit.listEntries({ ...filter, ...choice, search: filter.search, ascending: !choice.descending }),
    readTenantChoices(tenants, scope),
  ]);
  const describeEntry = (entry: AuditEntry) => {
    const key = `audit.actions.${entry.action}`;
    return {
      ...entry,
      what: languages.has(key) ? t(key) : entry.action,
      subject: describeAuditSubject(entry, t),
      tenantName: choices.find(({ id }) => id === entry.tenantId)?.name ?? entry.tenantId,
      details: describeAuditDetails(entry, t, languages),
    };
  };
  return makePage('audit', {
    list: createListModel({ path: AUDIT, query, choice }, result),
    entries: result.items.map(describeEntry),
    filter: formValues,
    isFiltered: Object.values(formValues).some(Boolean),
    filterNames,
    actionGroups: groupAuditActions(t),
    tenants: withChosenTenant(choices, formValues.tenant),
  });
}

/** The page of the menu to which actions belong, by their first word. */
const pages: Readonly<Record<string, string>> = {
  tenant: 'tenants',
  'api-key': 'keys',
  registration: 'registrations',
  workspace: 'workspaces',
  'slack-app': 'workspaces',
  assistant: 'assistants',
  feedback: 'feedback',
  object: 'objects',
  'dead-link': 'links',
  'placed-object': 'objects',
  import: 'imports',
  admin: 'admins',
  link: 'admins',
  audit: 'audit',
  person: 'people',
};

function groupAuditActions(t: Translate) {
  const groups = new Map<string, string[]>();
  for (const action of auditActions) {
    const page = pages[action.split('.')[0] ?? ''] ?? 'system';
    groups.set(page, [...(groups.get(page) ?? []), action]);
  }
  return Array.from(groups, ([page, actions]) => ({ name: t(`nav.${page}`), actions }));
}

/** Describes the target, links in the reader's language; empty if the action says everything. */
function describeAuditSubject({ action, target }: Pick<AuditEntry, 'action' | 'target'>, t: Translate): string {
  if (action.endsWith('.exported') || action.startsWith('secrets.')) return '';
  // The target of a change of several is just `feedback`, and the details count them.
  if (action.startsWith('feedback.') && target === 'feedback') return '';
  if (!action.startsWith('link.')) return target;
  const name = /^reset: (.*)$/s.exec(target)?.[1];
  if (name !== undefined) return t('audit.links.resetOf', { name });
  return linkKinds.includes(target) ? t(`audit.links.${target}`) : target;
}

const linkKinds = ['setup', 'invitation', 'reset', 'registration', 'slack-install'];

/** Stands between the old and the new value, as services write changes. */
const ARROW = ' → ';

/** Details whose values are words of the catalogues; among other values, only `none` is one. */
const translatedDetails =
  /^(?:role|roleBefore|tenants|tenantsBefore|by|key|kind|isEnteredByOwner|state|origin|registration\.(?:product|acceptsNewDeployments)|feedback\.sharedEmailFor|defaults\..+)$/;

/** Describes the details of an entry; what the catalogues lack is shown as it is. */
function describeAuditDetails({ details }: Pick<AuditEntry, 'details'>, t: Translate, languages: Languages) {
  return Object.entries(details).map(([name, text]) => {
    const key = `audit.details.${name}`;
    const words = text.split(ARROW);
    const isAuditWord = (word: string) => translatedDetails.test(name) || (word === 'none' && words.length > 1);
    const value = words.map((word) => (isAuditWord(word) ? describeAuditWord(word, t, languages) : word)).join(ARROW);
    return { label: languages.has(key) ? t(key) : name, value };
  });
}

function describeAuditWord(word: string, t: Translate, languages: Languages): string {
  if (adminRoles.some((role) => role === word)) return t(`roles.${word}`);
  const key = `audit.words.${word}`;
  return /^[a-z-]+$/.test(word) && languages.has(key) ? t(key) : word;
}

const filterNames = ['q', 'action', 'tenant', 'from', 'until'] as const;

/** Reads `q`, `action`, `tenant`, `from` and `until`; unusable values count as not chosen. */
function readAuditFilter(query: URLSearchParams, scope: TenantScope) {
  const { text, tenant, tenants, period, from, until } = readListFilter(query, scope);
  const action = auditActions.find((name) => name === text('action')) ?? null;
  const formValues = { q: text('q'), action: action ?? '', tenant, from, until };
  return { filter: { scope: tenants, action, period, search: formValues.q }, formValues };
}

/** Exports all matches, oldest first, and records that in the audit trail of each tenant. */
async function exportAudit({ form, signedIn, actor, t, audit, clock }: SignedInContext): Promise<Reply> {
  const { filter, formValues } = readAuditFilter(form, signedIn.admin.tenants);
  const isCsv = form.get('format') !== 'jsonl';
  const details = { format: isCsv ? 'csv' : 'jsonl', ...describeListFilter(filterNames, formValues) };
  for (const tenantId of filter.scope ?? [null])
    await audit.record(actor, { action: 'audit.exported', tenantId, target: 'audit', details });
  const entries = audit.readEntries(filter);
  return {
    kind: 'download',
    name: `audit-${clock.now().toISOString().slice(0, 10)}.${isCsv ? 'csv' : 'jsonl'}`,
    type: isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    lines: isCsv ? writeCsvLines(listAuditColumns(t), entries) : writeJsonLines(entries),
  };
}

function listAuditColumns(t: Translate): CsvColumn<AuditEntry>[] {
  return toCsvColumns((name) => t(`audit.columns.${name}`), {
    at: ({ at }) => at,
    actor: ({ actor }) => actor.name,
    actorKind: ({ actor }) => actor.kind,
    address: ({ actor }) => actor.address,
    action: ({ action }) => action,
    target: ({ target }) => target,
    tenantId: ({ tenantId }) => tenantId,
    details: ({ details }) =>
      Object.entries(details)
        .map(([name, value]) => `${name}: ${value}`)
        .join('; '),
  });
}
