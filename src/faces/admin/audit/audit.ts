import { adminRoles } from '#domain/admin';
import type { Languages, Translate } from '#faces/words/i18n';
import type { AuditEntry } from '#ports/store/store';
import { auditActions } from '#services/tenants/audit';
import type { AdminDeps } from '../deps.ts';
import { createListModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, makePage, type Reply, type SignedInContext } from '../route.ts';
import { readTenantChoices, type TenantChoice, withChosenTenant } from '../tenants/tenant-choices.ts';
import { exportAudit, filterNames, readAuditFilter } from './audit-export.ts';

const AUDIT = '/audit';

/** The audit trail. */
export const auditRoutes: AdminRoute[] = [
  { method: 'get', path: AUDIT, access: 'viewer', handle: listAudit },
  {
    method: 'post',
    path: `${AUDIT}/export`,
    access: 'manager',
    handle: exportAudit,
  },
];

async function listAudit(
  { query, signedIn, t }: SignedInContext,
  { audit, languages, tenants }: AdminDeps,
): Promise<Reply> {
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
