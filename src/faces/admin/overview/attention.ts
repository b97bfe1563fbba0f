import type { Translate } from '#faces/words/i18n';
import type { Connection } from './connections.ts';
import type { Situation } from './situation.ts';
import { EXPIRY_DAYS } from './situation.ts';

/** `broken` does not work now, `soon` will stop working, a `hint` would improve things. */
const levels = ['broken', 'soon', 'hint'] as const;
const MAX_NAMES = 5;

interface Words {
  readonly t: Translate;
  readonly locale: string;
  /** Whether the first steps are on the page, too. */
  readonly hasSteps: boolean;
}

/** What needs attention now, the worst first. */
export function findConcerns(situation: Situation, words: Words) {
  const { t } = words;
  const rows: readonly Row[] = [
    ...catalogRows(situation, words),
    ...situation.connections.flatMap((connection) => connectionRows(connection, t)),
    ...feedbackRows(situation, words),
    ...importRows(situation, t),
    ...keyRows(situation, words),
    ...slackRows(situation, t),
    ...hostRows(situation),
  ];
  const concerns = rows.map(([kind, level, href, values = {}]) => {
    const [title, advice, label] = ['title', 'advice', 'link'].map((part) => t(`attention.${kind}.${part}`, values));
    return { kind, level, title, advice, link: { href: `/admin/${href}`, label } };
  });
  return levels.flatMap((level) => concerns.filter((concern) => concern.level === level));
}

/** Something a person should look at, the page for it, and the values in its words. */
type Row = readonly [
  kind: string,
  level: (typeof levels)[number],
  href: string,
  values?: Readonly<Record<string, unknown>>,
];

/** Nodes, which problems name, are for owners. */
function catalogRows({ catalog, host }: Situation, { locale }: Words): Row[] {
  const { away = null, behind = null } = catalog ?? {};
  const trouble = away ?? behind;
  if (trouble === null) return [];
  const values = { since: formatInstant(trouble.since, locale), problem: host === null ? '' : trouble.problem };
  return [
    away === null
      ? ['catalogue-behind', 'soon', 'catalogue', values]
      : ['catalogue-away', 'broken', 'catalogue', values],
  ];
}

function connectionRows({ tenant, keys, health }: Connection, t: Translate): Row[] {
  const href = `tenants/${tenant.id}/upstream`;
  const values = { tenant: tenant.name };
  // By the names that the page of the upstream uses.
  const keysIn = (state: Connection['keys'][number]['state']) =>
    keys.filter((key) => key.state === state).map(({ label }) => t(label));
  const [unreadable, missing] = [keysIn('unreadable'), keysIn('missing')];
  if (unreadable.length > 0)
    return [['secret-unreadable', 'broken', href, { ...values, names: unreadable.join(', ') }]];
  if (health.state === 'ill' && !(health.outcome === 'key-missing' && missing.length > 0)) {
    const explained = t(`upstream.outcomes.${health.outcome}.means`);
    return [['upstream-ill', 'broken', href, { ...values, explained }]];
  }
  // An upstream that answers without a key needs none.
  if (missing.length === 0 || health.state === 'well' || health.state === 'off') return [];
  return [['key-missing', 'broken', href, { ...values, names: missing.join(', ') }]];
}

function feedbackRows({ waiting, parked, refused, deadLinks }: Situation, { locale }: Words): Row[] {
  const since = waiting.oldest === null ? '' : formatInstant(waiting.oldest, locale);
  const rows = [
    ['feedback-parked', parked, 'feedback?state=parked'],
    ['feedback-waiting', waiting.count, 'feedback?state=waiting&sort=receivedAt&dir=asc'],
    ['feedback-refused', refused, 'feedback?state=refused'],
    ['dead-links', deadLinks, 'catalogue/links'],
  ] as const;
  return rows.filter(([, count]) => count > 0).map(([kind, count, href]) => [kind, 'soon', href, { count, since }]);
}

function importRows({ failedImports, undecidedImports }: Situation, t: Translate): Row[] {
  const rows = [
    ['imports-failing', failedImports],
    ['imports-undecided', undecidedImports],
  ] as const;
  return rows
    .filter(([, titles]) => titles.length > 0)
    .map(([kind, titles]) => [kind, 'soon', 'imports', listNames(titles, t)]);
}

function keyRows({ keys, connections, isNew }: Situation, { t, locale, hasSteps }: Words): Row[] {
  const expiring = keys.expiring.map(({ name, expiresAt }) => `${name} (${formatInstant(expiresAt, locale)})`);
  const without = connections.filter(({ tenant }) => tenant.status === 'active' && !keys.tenants.has(tenant.id));
  const isShownAsStep = isNew && hasSteps;
  const names = keys.isComplete && !isShownAsStep ? without.map(({ tenant }) => tenant.name) : [];
  const rows: Row[] = [
    ['keys-expiring', 'soon', 'keys', { ...listNames(expiring, t), days: EXPIRY_DAYS }],
    ['no-active-key', 'hint', 'keys', listNames(names, t)],
  ];
  return rows.filter(([, , , values]) => values?.count !== 0);
}

/** Without a readable app, Slack is not answered; without a readable token, a workspace is not. */
function slackRows({ slack, host }: Situation, t: Translate): Row[] {
  const { app, workspaces, unreadable } = slack;
  const isMissing = app === 'none' && workspaces > 0;
  const isUnreadable = app === 'unreadable' && (workspaces > 0 || host !== null);
  const kind = isMissing ? 'slack-app-missing' : 'slack-app-unreadable';
  return [
    ...(isMissing || isUnreadable ? [[kind, 'broken', 'workspaces/app'] as const] : []),
    ...(unreadable.length > 0
      ? [['workspaces-unreadable', 'broken', 'workspaces', listNames(unreadable, t)] as const]
      : []),
  ];
}

/** What only owners can change, and see. */
function hostRows({ host }: Situation): Row[] {
  if (host === null) return [];
  const { publicUrl: address, owners } = host;
  return [
    ...(isOpenHttp(address) ? [['http-address', 'soon', 'system', { address }] as const] : []),
    ...(owners === 1 ? [['one-owner', 'hint', 'admins'] as const] : []),
  ];
}

/** Plain http that others can read; not on this machine, where nobody can. */
function isOpenHttp(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return protocol === 'http:' && !isHere;
}

function listNames(all: readonly string[], t: Translate) {
  const names = all.slice(0, MAX_NAMES).join(', ');
  const more = all.length - MAX_NAMES;
  return { count: all.length, names: more > 0 ? t('attention.andMore', { names, count: more }) : names };
}

function formatInstant(at: Date, locale: string): string {
  return `${at.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
}
