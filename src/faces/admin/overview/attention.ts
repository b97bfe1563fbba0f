import type { Translate } from '#faces/words/i18n';
import type { Connection } from './connections.ts';
import type { Situation } from './situation.ts';
import { EXPIRY_DAYS } from './summaries.ts';

/** Something a person should look at. */
export interface Concern {
  readonly kind: string;
  /** `broken` does not work now, `soon` will stop working, a `hint` would improve things. */
  readonly level: (typeof levels)[number];
  readonly title: string;
  readonly advice: string;
  /** Null where there is no page for it. */
  readonly link: { readonly href: string; readonly label: string } | null;
}

const levels = ['broken', 'soon', 'hint'] as const;
const MAX_NAMES = 5;

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
  return [concern({ kind, level, href: '/admin/catalogue' }, t, values)];
}

function connectionConcerns({ tenant, keys, health }: Connection, { t }: Words): Concern[] {
  const href = `/admin/tenants/${tenant.id}/upstream`;
  const values = { tenant: tenant.name };
  const unreadable = keys.filter(({ state }) => state === 'unreadable');
  if (unreadable.length > 0) {
    const names = keyNames(unreadable, t);
    return [concern({ kind: 'secret-unreadable', level: 'broken', href }, t, { ...values, names })];
  }
  const missing = keys.filter(({ state }) => state === 'missing');
  if (health.state === 'ill' && !(health.outcome === 'key-missing' && missing.length > 0)) {
    const explained = t(`upstream.outcomes.${health.outcome}.means`);
    return [concern({ kind: 'upstream-ill', level: 'broken', href }, t, { ...values, explained })];
  }
  // An upstream that answers without a key needs none.
  if (missing.length === 0 || health.state === 'well' || health.state === 'off') return [];
  const names = keyNames(missing, t);
  return [concern({ kind: 'key-missing', level: 'broken', href }, t, { ...values, names })];
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
    .map(([kind, count, query]) => {
      const href = `/admin/feedback?${query}`;
      return concern({ kind, level: 'soon', href }, t, { count, since });
    });
}

function deadLinkConcerns({ deadLinks }: Situation, { t }: Words): Concern[] {
  const values = { count: deadLinks };
  return deadLinks === 0
    ? []
    : [concern({ kind: 'dead-links', level: 'soon', href: '/admin/catalogue/links' }, t, values)];
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
      return concern({ kind, level: 'soon', href: '/admin/imports' }, t, values);
    });
}

function keyConcerns({ keys, connections, isNew }: Situation, { t, locale, hasSteps }: Words): Concern[] {
  const concerns: Concern[] = [];
  if (keys.expiring.length > 0) {
    const names = listNames(
      keys.expiring.map(({ name, expiresAt }) => `${name} (${formatInstant(expiresAt, locale)})`),
      t,
    );
    const values = { count: keys.expiring.length, names, days: EXPIRY_DAYS };
    concerns.push(concern({ kind: 'keys-expiring', level: 'soon', href: '/admin/keys' }, t, values));
  }
  const without = connections.filter(({ tenant }) => tenant.status === 'active' && !keys.tenants.has(tenant.id));
  const isSaid = isNew && hasSteps;
  if (keys.isComplete && !isSaid && without.length > 0) {
    const names = listNames(
      without.map(({ tenant }) => tenant.name),
      t,
    );
    const values = { count: without.length, names };
    concerns.push(concern({ kind: 'no-active-key', level: 'hint', href: '/admin/keys' }, t, values));
  }
  return concerns;
}

/** Without a readable app, nobody in Slack is answered; without a readable token, nobody in that
 *  workspace. */
function slackConcerns({ slack, host }: Situation, { t }: Words): Concern[] {
  const { app, workspaces, unreadable } = slack;
  const isVersionMissing = app === 'none' && workspaces > 0;
  const isUnreadable = app === 'unreadable' && (workspaces > 0 || host !== null);
  const kind = isVersionMissing ? 'slack-app-missing' : 'slack-app-unreadable';
  const values = { count: unreadable.length, names: listNames(unreadable, t) };
  return [
    ...(isVersionMissing || isUnreadable ? [concern({ kind, level: 'broken', href: '/admin/workspaces/app' }, t)] : []),
    ...(unreadable.length > 0
      ? [concern({ kind: 'workspaces-unreadable', level: 'broken', href: '/admin/workspaces' }, t, values)]
      : []),
  ];
}

/** What only owners can change, and see. */
function hostConcerns({ host }: Situation, { t }: Words): Concern[] {
  if (host === null) return [];
  const { publicUrl, owners } = host;
  return [
    ...(isOpenHttp(publicUrl)
      ? [concern({ kind: 'http-address', level: 'soon', href: '/admin/system' }, t, { address: publicUrl })]
      : []),
    ...(owners === 1 ? [concern({ kind: 'one-owner', level: 'hint', href: '/admin/admins' }, t)] : []),
  ];
}

/** Plain http that others can read; not on this machine, where nobody can. */
function isOpenHttp(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return protocol === 'http:' && !isHere;
}

function concern(
  { kind, level, href }: Pick<Concern, 'kind' | 'level'> & { href: string },
  t: Translate,
  values: Readonly<Record<string, unknown>> = {},
): Concern {
  return {
    kind,
    level,
    title: t(`attention.${kind}.title`, values),
    advice: t(`attention.${kind}.advice`, values),
    link: { href, label: t(`attention.${kind}.link`, values) },
  };
}

/** By the names that the page of the upstream uses. */
function keyNames(keys: Connection['keys'], t: Translate): string {
  return keys.map(({ label }) => t(label)).join(', ');
}

function listNames(names: readonly string[], t: Translate): string {
  const shown = names.slice(0, MAX_NAMES);
  const more = names.length - shown.length;
  return more > 0 ? t('attention.andMore', { names: shown.join(', '), count: more }) : shown.join(', ');
}

function formatInstant(at: Date, locale: string): string {
  return `${at.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
}
