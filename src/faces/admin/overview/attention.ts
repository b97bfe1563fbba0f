import type { Translate } from '#faces/words/i18n';
import type { Connection } from './connections.ts';
import type { Situation } from './situation.ts';
import { EXPIRY_DAYS } from './situation.ts';

/** `broken` does not work now, `soon` will stop working, a `hint` would improve things. */
const levels = ['broken', 'soon', 'hint'] as const;
const MAX_NAMES = 5;

type Concern = ReturnType<typeof makeConcern>;

interface Words {
  readonly t: Translate;
  readonly locale: string;
  /** Whether the first steps are on the page, too. */
  readonly hasSteps: boolean;
}

/** What needs attention now, the worst first. */
export function findConcerns(situation: Situation, words: Words): Concern[] {
  const concerns = [
    ...catalogConcerns(situation, words),
    ...situation.connections.flatMap((connection) => connectionConcerns(connection, words)),
    ...feedbackConcerns(situation, words),
    ...deadLinkConcerns(situation, words),
    ...importConcerns(situation, words),
    ...keyConcerns(situation, words),
    ...slackConcerns(situation, words),
    ...hostConcerns(situation, words),
  ];
  return levels.flatMap((level) => concerns.filter((concern) => concern.level === level));
}

/** Nodes, which problems name, are for owners. */
function catalogConcerns({ catalog, host }: Situation, { t, locale }: Words): Concern[] {
  const { away = null, behind = null } = catalog ?? {};
  const trouble = away ?? behind;
  if (trouble === null) return [];
  const kind = away === null ? 'catalogue-behind' : 'catalogue-away';
  const values = {
    since: formatInstant(trouble.since, locale),
    problem: host === null ? '' : trouble.problem,
  };
  const level = away === null ? 'soon' : 'broken';
  return [makeConcern(kind, level, '/admin/catalogue', t, values)];
}

function connectionConcerns({ tenant, keys, health }: Connection, { t }: Words): Concern[] {
  const href = `/admin/tenants/${tenant.id}/upstream`;
  const values = { tenant: tenant.name };
  const unreadable = keys.filter(({ state }) => state === 'unreadable');
  if (unreadable.length > 0) {
    const names = keyNames(unreadable, t);
    return [makeConcern('secret-unreadable', 'broken', href, t, { ...values, names })];
  }
  const missing = keys.filter(({ state }) => state === 'missing');
  if (health.state === 'ill' && !(health.outcome === 'key-missing' && missing.length > 0)) {
    const explained = t(`upstream.outcomes.${health.outcome}.means`);
    return [makeConcern('upstream-ill', 'broken', href, t, { ...values, explained })];
  }
  // An upstream that answers without a key needs none.
  if (missing.length === 0 || health.state === 'well' || health.state === 'off') return [];
  const names = keyNames(missing, t);
  return [makeConcern('key-missing', 'broken', href, t, { ...values, names })];
}

function feedbackConcerns({ waiting, parked, refused }: Situation, { t, locale }: Words): Concern[] {
  const since = waiting.oldest === null ? '' : formatInstant(waiting.oldest, locale);
  const kinds = [
    ['feedback-parked', parked, 'state=parked'],
    ['feedback-waiting', waiting.count, 'state=waiting&sort=receivedAt&dir=asc'],
    ['feedback-refused', refused, 'state=refused'],
  ] as const;
  return kinds
    .filter(([, count]) => count > 0)
    .map(([kind, count, query]) => makeConcern(kind, 'soon', `/admin/feedback?${query}`, t, { count, since }));
}

function deadLinkConcerns({ deadLinks: count }: Situation, { t }: Words): Concern[] {
  return count === 0 ? [] : [makeConcern('dead-links', 'soon', '/admin/catalogue/links', t, { count })];
}

function importConcerns({ failedImports, undecidedImports }: Situation, { t }: Words): Concern[] {
  const kinds = [
    ['imports-failing', failedImports],
    ['imports-undecided', undecidedImports],
  ] as const;
  return kinds
    .filter(([, titles]) => titles.length > 0)
    .map(([kind, titles]) => {
      const values = { count: titles.length, names: listNames(titles, t) };
      return makeConcern(kind, 'soon', '/admin/imports', t, values);
    });
}

function keyConcerns({ keys, connections, isNew }: Situation, { t, locale, hasSteps }: Words): Concern[] {
  const concerns: Concern[] = [];
  if (keys.expiring.length > 0) {
    const expiring = keys.expiring.map(({ name, expiresAt }) => `${name} (${formatInstant(expiresAt, locale)})`);
    const values = { count: expiring.length, names: listNames(expiring, t), days: EXPIRY_DAYS };
    concerns.push(makeConcern('keys-expiring', 'soon', '/admin/keys', t, values));
  }
  const without = connections.filter(({ tenant }) => tenant.status === 'active' && !keys.tenants.has(tenant.id));
  const isShownAsStep = isNew && hasSteps;
  if (keys.isComplete && !isShownAsStep && without.length > 0) {
    const names = without.map(({ tenant }) => tenant.name);
    const values = { count: names.length, names: listNames(names, t) };
    concerns.push(makeConcern('no-active-key', 'hint', '/admin/keys', t, values));
  }
  return concerns;
}

/** Without a readable app, Slack is not answered; without a readable token, a workspace is not. */
function slackConcerns({ slack, host }: Situation, { t }: Words): Concern[] {
  const { app, workspaces, unreadable } = slack;
  const isMissing = app === 'none' && workspaces > 0;
  const isUnreadable = app === 'unreadable' && (workspaces > 0 || host !== null);
  const kind = isMissing ? 'slack-app-missing' : 'slack-app-unreadable';
  const concerns: Concern[] = [];
  if (isMissing || isUnreadable) concerns.push(makeConcern(kind, 'broken', '/admin/workspaces/app', t));
  if (unreadable.length > 0) {
    const values = { count: unreadable.length, names: listNames(unreadable, t) };
    concerns.push(makeConcern('workspaces-unreadable', 'broken', '/admin/workspaces', t, values));
  }
  return concerns;
}

/** What only owners can change, and see. */
function hostConcerns({ host }: Situation, { t }: Words): Concern[] {
  if (host === null) return [];
  const { publicUrl: address, owners } = host;
  const concerns: Concern[] = [];
  if (isOpenHttp(address)) concerns.push(makeConcern('http-address', 'soon', '/admin/system', t, { address }));
  if (owners === 1) concerns.push(makeConcern('one-owner', 'hint', '/admin/admins', t));
  return concerns;
}

/** Plain http that others can read; not on this machine, where nobody can. */
function isOpenHttp(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return protocol === 'http:' && !isHere;
}

/** Something a person should look at, and the page for it. */
function makeConcern(
  kind: string,
  level: (typeof levels)[number],
  href: string,
  t: Translate,
  values: Readonly<Record<string, unknown>> = {},
) {
  const [title, advice, label] = ['title', 'advice', 'link'].map((part) => t(`attention.${kind}.${part}`, values));
  return { kind, level, title, advice, link: { href, label } };
}

/** By the names that the page of the upstream uses. */
const keyNames = (keys: Connection['keys'], t: Translate): string => keys.map(({ label }) => t(label)).join(', ');

function listNames(names: readonly string[], t: Translate): string {
  const first = names.slice(0, MAX_NAMES);
  const more = names.length - first.length;
  return more > 0 ? t('attention.andMore', { names: first.join(', '), count: more }) : first.join(', ');
}

function formatInstant(at: Date, locale: string): string {
  return `${at.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
}
