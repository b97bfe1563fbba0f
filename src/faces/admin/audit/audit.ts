import { adminRoles, isInScope, type TenantScope } from '#domain/admin';
import type { Languages, Translate } from '#faces/words/i18n';
import type { AuditEntry, AuditFilter } from '#ports/store/store';
import { auditActions } from '#services/tenants/audit';
import { type CsvColumn, writeCsvLines } from '../../csv.ts';
import { createListModel, readListChoice, readPeriod } from '../lists/lists.ts';
import { get, makePage, post, type Reply, type SignedInContext } from '../route.ts';
import { readTenantChoices, type TenantChoice, withChosenTenant } from '../tenants/tenant-lists.ts';

const AUDIT = '/audit';

/** The audit trail. */
export const auditRoutes = [get(AUDIT, 'viewer', listAudit), post(`${AUDIT}/export`, 'manager', exportAudit)];

async function listAudit({ query, signedIn, t, audit, languages, tenants }: SignedInContext): Promise<Reply> {
  const scope = signedIn.admin.tenants;
  const { filter, shown, isFiltered } = readAuditFilter(query, scope);
  const choice = readListChoice(query, ['at'], true);
  const [result, choices] = await Promise.all([
    audit.listEntries({ ...filter, ...choice, search: filter.search, ascending: !choice.descending }),
    readTenantChoices(tenants, scope),
  ]);
  const describe = (entry: AuditEntry) => {
    const key = `audit.actions.${entry.action}`;
    return {
      ...entry,
      what: languages.has(key) ? t(key) : entry.action,
      subject: describeSubject(entry, t),
      tenantName: findTenantName(entry.tenantId, choices),
      details: describeDetails(entry, t, languages),
    };
  };
  return makePage('audit', {
    list: createListModel({ path: AUDIT, query, choice }, result),
    entries: result.items.map(describe),
    filter: shown,
    isFiltered,
    filterNames,
    actions: auditActions,
    tenants: withChosenTenant(choices, shown.tenant),
  });
}

/** Returns the name of a tenant, or its id if the tenant is deleted or not in the list. */
function findTenantName(id: string | null, choices: readonly TenantChoice[]): string | null {
  return choices.find((choice) => choice.id === id)?.name ?? id;
}

/** What was changed, as it is shown: people's own names as they are, ours in the reader's language.
 *  Empty where the action says it all. */
function describeSubject({ action, target }: Pick<AuditEntry, 'action' | 'target'>, t: Translate): string {
  if (action.endsWith('.exported') || action.startsWith('secrets.')) return '';
  // Several were changed at once: the details count them.
  if (action.startsWith('feedback.') && target === 'feedback') return '';
  if (!action.startsWith('link.')) return target;
  const name = /^reset: (.*)$/s.exec(target)?.[1];
  if (name !== undefined) return t('audit.links.resetOf', { name });
  return ['setup', 'invitation', 'reset', 'registration', 'slack-install'].includes(target)
    ? t(`audit.links.${target}`)
    : target;
}

interface Detail {
  readonly label: string;
  readonly value: string;
}

/** Stands between the old and the new value, as services write changes. */
const ARROW = ' → ';

/** Details whose values are words of ours. The others are what people wrote and stay as they are,
 *  except `none`. */
const coded =
  /^(?:role|roleBefore|tenants|tenantsBefore|by|key|kind|isEnteredByOwner|state|origin|registration\.(?:product|acceptsNewDeployments)|feedback\.sharedEmailFor|defaults\..+)$/;

/** The details of an entry in the reader's language. What the catalogues do not know is shown as it
 *  was kept. */
function describeDetails({ details }: Pick<AuditEntry, 'details'>, t: Translate, languages: Languages): Detail[] {
  return Object.entries(details).map(([name, kept]) => {
    const key = `audit.details.${name}`;
    const words = kept.split(ARROW);
    const isOurs = (word: string) => coded.test(name) || (word === 'none' && words.length > 1);
    const value = words.map((word) => (isOurs(word) ? describeWord(word, t, languages) : word)).join(ARROW);
    return { label: languages.has(key) ? t(key) : name, value };
  });
}

function describeWord(word: string, t: Translate, languages: Languages): string {
  if (adminRoles.some((role) => role === word)) return t(`roles.${word}`);
  const key = `audit.words.${word}`;
  return /^[a-z-]+$/.test(word) && languages.has(key) ? t(key) : word;
}

/** The fields of the filter. */
export const filterNames = ['q', 'action', 'tenant', 'from', 'until'] as const;

/** What the fields of the filter show. */
type Shown = Readonly<Record<(typeof filterNames)[number], string>>;

const MAX_LENGTH = 100;

/** Read `q`, `action`, `tenant`, and the days `from` and `until`; what cannot be used counts as not
 *  chosen. */
function readAuditFilter(
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
async function exportAudit({ form, signedIn, actor, t, audit, clock }: SignedInContext): Promise<Reply> {
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
