import { isAdminRoleAtLeast, isInAdminScope } from '#domain/admin';
import { isLoopbackAddress } from '#domain/web-address';
import { formatUtcTime } from '#faces/search-view/answer-view';
import type { Translate } from '#faces/words/i18n';
import { KEY_WARNING_DAYS } from '#services/tenants/api-keys';
import { get, makePage, type PageContext, post, type Reply, type SignedInContext } from '../route.ts';
import { isUsableSlackApp } from '../workspaces/workspaces.ts';
import { assessSituation, type Connection, checkConnection, type Health, type Situation } from './situation.ts';
import { CHART_DAYS, cutUsageReport, drawUsageCharts, drawUsageNumbers } from './usage-charts.ts';

/** The first page: what is connected, what needs attention, how much is used. */
export const overviewRoutes = [
  get('/', 'viewer', showOverview),
  get('/tenants/:tenantId/health', 'viewer', showOverviewHealth),
  post('/concerns', 'account', dismissOverviewConcern),
];

async function showOverview(context: SignedInContext): Promise<Reply> {
  const { signedIn, query, t, locale } = context;
  const tenantId = query.get('tenant') ?? '';
  const chosen = tenantId !== '' && isInAdminScope(signedIn.admin.tenants, tenantId) ? tenantId : null;
  const [situation, longReport] = await Promise.all([
    assessSituation(context),
    context.usage.report(chosen === null ? signedIn.admin.tenants : [chosen], 2 * CHART_DAYS),
  ]);
  const report = cutUsageReport(longReport, CHART_DAYS);
  const objects = context.system.sizes.objects.toLocaleString(locale);
  const isFresh = situation.isNew || (chosen === null && report.totals.searches === 0);
  const hasSteps = isFresh && isAdminRoleAtLeast(signedIn.admin.role, 'manager') && situation.connections.length > 0;
  return makePage('overview', {
    situation,
    connections: situation.connections.map(({ health, ...connection }) => ({
      ...connection,
      health: describeOverviewHealth(health, context),
    })),
    ...chooseOverviewConcerns(context, findOverviewConcerns(situation, { t, locale, hasSteps })),
    allConcerns: query.get('concerns') === 'all',
    isChecking: situation.connections.some(({ health }) => health.state === 'checking'),
    steps: hasSteps ? listOverviewFirstSteps(situation, t, objects) : [],
    numbers: drawUsageNumbers(longReport, context),
    charts: drawUsageCharts(report, context),
    objects,
  });
}

const DISMISSED_DAYS = 30;

/** Concerns without those that were put aside in this browser; what is broken always shows. */
function chooseOverviewConcerns({ cookie, query }: SignedInContext, concerns: ReturnType<typeof findOverviewConcerns>) {
  const dismissed = readDismissedConcerns(cookie('dismissed'));
  const visible = concerns.filter(({ kind, level }) => level === 'broken' || !dismissed.includes(kind));
  const hidden = concerns.length - visible.length;
  return query.get('concerns') === 'all' ? { concerns, hidden: 0 } : { concerns: visible, hidden };
}

/** Puts a concern aside for a month, or shows all of them again. */
function dismissOverviewConcern({ cookie, form, clock }: SignedInContext): Reply {
  const kind = form.get('kind') ?? '';
  const kinds = /^[a-z-]{1,40}$/.test(kind) ? [...new Set([...readDismissedConcerns(cookie('dismissed')), kind])] : [];
  const expiresAt = new Date(clock.now().getTime() + DISMISSED_DAYS * 86_400_000);
  const change = {
    name: 'dismissed',
    value: kinds.length === 0 ? null : kinds.slice(-12).join('.'),
    expiresAt,
  } as const;
  return { kind: 'redirect', to: '/admin#attention', cookies: [change] };
}

const readDismissedConcerns = (value: string | undefined): string[] =>
  value?.split('.').filter((kind) => kind !== '') ?? [];

/** For the browser code, which shows it in place, and as a page for those without. */
async function showOverviewHealth(context: SignedInContext): Promise<Reply> {
  const { param, request } = context;
  const tenant = await context.tenants.getTenant(param('tenantId'));
  const health = describeOverviewHealth(await checkConnection(context, tenant), context);
  if (request.accepts(['html', 'json']) === 'json') return { kind: 'json', body: health };
  return makePage('health', { tenant, health });
}

/** A state in words, and the class of its mark. */
function describeOverviewHealth(health: Health, { t, locale }: Pick<PageContext, 't' | 'locale'>) {
  const marks = { own: 'on', off: '', checking: 'due', well: 'on', ill: 'off', unreadable: 'off' } as const;
  const at = 'checkedAt' in health ? health.checkedAt : null;
  const time = at?.toLocaleTimeString(locale, { timeStyle: 'short', timeZone: 'UTC' });
  return {
    state: health.state,
    mark: marks[health.state],
    label: t(`health.states.${health.state}`),
    explained: health.state === 'ill' ? t(`upstream.outcomes.${health.outcome}.means`) : '',
    checked: time === undefined ? '' : t('health.checkedAt', { time }),
  };
}

function listOverviewFirstSteps({ connections, keys, platforms, slack }: Situation, t: Translate, objects: string) {
  const connected = connections.filter(({ tenant }) => tenant.upstream.kind !== 'local');
  const [first, ...more] = connections;
  const only = first !== undefined && more.length === 0 ? `/${first.tenant.id}` : '';
  const stateOf = (count: number) => (count > 0 ? 'done' : 'open');
  const slackState = stateOf(slack.workspaces);
  const steps = [
    { kind: 'source', state: 'done', text: connected.length > 0 ? 'connected' : 'own', path: `tenants${only}` },
    { kind: 'key', state: stateOf(keys.active), path: 'keys' },
    { kind: 'lms', state: stateOf(platforms), path: 'registrations' },
    {
      kind: 'slack',
      state: slackState,
      text: slackState === 'open' && isUsableSlackApp(slack.app) ? 'ready' : slackState,
      path: 'workspaces',
    },
  ];
  const names = connected.map(({ tenant }) => tenant.name).join(', ');
  const values = { objects, names, count: keys.active, platforms, workspaces: slack.workspaces };
  return steps.map(({ kind, state, text = state, path }) => ({
    state,
    title: t(`firstSteps.${kind}.title`),
    text: t(`firstSteps.${kind}.${text}`, values),
    link: { href: `/admin/${path}`, label: t(`firstSteps.${kind}.link`) },
  }));
}

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
function findOverviewConcerns(situation: Situation, words: Words) {
  const { t } = words;
  const rows: readonly Row[] = [
    ...catalogConcerns(situation, words),
    ...situation.connections.flatMap((connection) => connectionConcerns(connection, t)),
    ...feedbackConcerns(situation, words),
    ...importConcerns(situation, t),
    ...keyConcerns(situation, words),
    ...slackConcerns(situation, t),
    ...hostConcerns(situation),
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
function catalogConcerns({ catalog, host }: Situation, { locale }: Words): Row[] {
  const { away = null, behind = null } = catalog ?? {};
  const trouble = away ?? behind;
  if (trouble === null) return [];
  const values = { since: formatUtcTime(trouble.since, locale), problem: host === null ? '' : trouble.problem };
  return [
    away === null
      ? ['catalogue-behind', 'soon', 'catalogue', values]
      : ['catalogue-away', 'broken', 'catalogue', values],
  ];
}

function connectionConcerns({ tenant, keys, health }: Connection, t: Translate): Row[] {
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

function feedbackConcerns({ waiting, parked, refused, deadLinks }: Situation, { locale }: Words): Row[] {
  const since = waiting.oldest === null ? '' : formatUtcTime(waiting.oldest, locale);
  const rows = [
    ['feedback-parked', parked, 'feedback?state=parked'],
    ['feedback-waiting', waiting.count, 'feedback?state=waiting&sort=receivedAt&dir=asc'],
    ['feedback-refused', refused, 'feedback?state=refused'],
    ['dead-links', deadLinks, 'catalogue/links'],
  ] as const;
  return rows.filter(([, count]) => count > 0).map(([kind, count, href]) => [kind, 'soon', href, { count, since }]);
}

function importConcerns({ failedImports, undecidedImports }: Situation, t: Translate): Row[] {
  const rows = [
    ['imports-failing', failedImports],
    ['imports-undecided', undecidedImports],
  ] as const;
  return rows
    .filter(([, titles]) => titles.length > 0)
    .map(([kind, titles]) => [kind, 'soon', 'imports', listOverviewNames(titles, t)]);
}

function keyConcerns({ keys, connections, isNew }: Situation, { t, locale, hasSteps }: Words): Row[] {
  const expiring = keys.expiring.map(({ name, expiresAt }) => `${name} (${formatUtcTime(expiresAt, locale)})`);
  const without = connections.filter(({ tenant }) => tenant.status === 'active' && !keys.tenants.has(tenant.id));
  const isShownAsStep = isNew && hasSteps;
  const names = keys.isComplete && !isShownAsStep ? without.map(({ tenant }) => tenant.name) : [];
  const rows: Row[] = [
    ['keys-expiring', 'soon', 'keys', { ...listOverviewNames(expiring, t), days: KEY_WARNING_DAYS }],
    ['no-active-key', 'hint', 'keys', listOverviewNames(names, t)],
  ];
  return rows.filter(([, , , values]) => values?.count !== 0);
}

/** Without a readable app, Slack is not answered; without a readable token, a workspace is not. */
function slackConcerns({ slack, host }: Situation, t: Translate): Row[] {
  const { app, workspaces, unreadable } = slack;
  const isMissing = app === 'none' && workspaces > 0;
  const isUnreadable = app === 'unreadable' && (workspaces > 0 || host !== null);
  const kind = isMissing ? 'slack-app-missing' : 'slack-app-unreadable';
  return [
    ...(isMissing || isUnreadable ? [[kind, 'broken', 'workspaces/app'] as const] : []),
    ...(unreadable.length > 0
      ? [['workspaces-unreadable', 'broken', 'workspaces', listOverviewNames(unreadable, t)] as const]
      : []),
  ];
}

/** What only owners can change, and see. */
function hostConcerns({ host }: Situation): Row[] {
  if (host === null) return [];
  const { publicUrl: address, owners, backupProblem } = host;
  // Plain http that others can read; not on this machine, where nobody can.
  const isOpen = address.startsWith('http:') && !isLoopbackAddress(address);
  return [
    ...(isOpen ? [['http-address', 'soon', 'system', { address }] as const] : []),
    ...(backupProblem === null
      ? []
      : [['backup-failed', 'broken', 'system', { problem: backupProblem.message }] as const]),
    ...(owners === 1 ? [['one-owner', 'hint', 'admins'] as const] : []),
  ];
}

function listOverviewNames(all: readonly string[], t: Translate) {
  const names = all.slice(0, MAX_NAMES).join(', ');
  const hiddenCount = all.length - MAX_NAMES;
  return { count: all.length, names: hiddenCount > 0 ? t('attention.andMore', { names, count: hiddenCount }) : names };
}
