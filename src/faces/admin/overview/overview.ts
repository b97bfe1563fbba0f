import { isAdminRoleAtLeast, isInAdminScope } from '#domain/admin';
import { isLoopbackAddress } from '#domain/web-address';
import { formatUtcTime } from '#faces/search-view/answer-view';
import type { Translate } from '#faces/words/i18n';
import { KEY_WARNING_DAYS } from '#services/tenants/api-keys';
import { get, makePage, type PageContext, post, type Reply, type SignedInContext } from '../route.ts';
import { isUsableSlackApp } from '../workspaces/workspaces.ts';
import { assessSituation, type Connection, checkConnection, type Health, type Situation } from './situation.ts';
import { CHART_DAYS, cutUsageReport, drawUsageCharts, drawUsageNumbers } from './usage-charts.ts';

/** The first page, which shows what is connected, what needs attention and how much is used. */
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

/** Omits the concerns that were put aside in this browser, unless something is broken. */
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

/** Answers with JSON for the script of the page, and with a page where no script runs. */
async function showOverviewHealth(context: SignedInContext): Promise<Reply> {
  const { param, request } = context;
  const tenant = await context.tenants.getTenant(param('tenantId'));
  const health = describeOverviewHealth(await checkConnection(context, tenant), context);
  if (request.accepts(['html', 'json']) === 'json') return { kind: 'json', body: health };
  return makePage('health', { tenant, health });
}

/** Describes a state in words, with the class of its mark. */
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
  const [first, second] = connections;
  const onlyTenant = first !== undefined && second === undefined ? `/${first.tenant.id}` : '';
  const stateOf = (count: number) => (count > 0 ? 'done' : 'open');
  const slackState = stateOf(slack.workspaces);
  const steps = [
    { kind: 'source', state: 'done', text: connected.length > 0 ? 'connected' : 'own', path: `tenants${onlyTenant}` },
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

/** Levels: `broken` does not work, `soon` will stop working, a `hint` is an improvement. */
const levels = ['broken', 'soon', 'hint'] as const;
const MAX_NAMES = 5;

interface ConcernWords {
  readonly t: Translate;
  readonly locale: string;
  /** Whether the first steps are on the page, too. */
  readonly hasSteps: boolean;
}

/** Finds what needs attention, the worst first. */
function findOverviewConcerns(situation: Situation, words: ConcernWords) {
  const { t } = words;
  const concerns: readonly Concern[] = [
    ...findCatalogConcerns(situation, words),
    ...situation.connections.flatMap((connection) => findConnectionConcerns(connection, t)),
    ...findFeedbackConcerns(situation, words),
    ...findImportConcerns(situation, t),
    ...findKeyConcerns(situation, words),
    ...findSlackConcerns(situation, t),
    ...findHostConcerns(situation),
  ];
  const described = concerns.map(([kind, level, href, values = {}]) => {
    const [title, advice, label] = ['title', 'advice', 'link'].map((part) => t(`attention.${kind}.${part}`, values));
    return { kind, level, title, advice, link: { href: `/admin/${href}`, label } };
  });
  return levels.flatMap((level) => described.filter((concern) => concern.level === level));
}

/** A concern with its page below `/admin`, and the values in its words. */
type Concern = readonly [
  kind: string,
  level: (typeof levels)[number],
  href: string,
  values?: Readonly<Record<string, unknown>>,
];

/** Finds troubles of the catalogue. Only owners see the problem, which names nodes. */
function findCatalogConcerns({ catalog, host }: Situation, { locale }: ConcernWords): Concern[] {
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

function findConnectionConcerns({ tenant, keys, health }: Connection, t: Translate): Concern[] {
  const href = `tenants/${tenant.id}/upstream`;
  const values = { tenant: tenant.name };
  // The page of the upstream uses the same names.
  const keysIn = (state: Connection['keys'][number]['state']) =>
    keys.filter((key) => key.state === state).map(({ label }) => t(label));
  const unreadable = keysIn('unreadable');
  const missing = keysIn('missing');
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

function findFeedbackConcerns({ waiting, parked, refused, deadLinks }: Situation, { locale }: ConcernWords): Concern[] {
  const since = waiting.oldest === null ? '' : formatUtcTime(waiting.oldest, locale);
  const rows = [
    ['feedback-parked', parked, 'feedback?state=parked'],
    ['feedback-waiting', waiting.count, 'feedback?state=waiting&sort=receivedAt&dir=asc'],
    ['feedback-refused', refused, 'feedback?state=refused'],
    ['dead-links', deadLinks, 'catalogue/links'],
  ] as const;
  return rows.filter(([, count]) => count > 0).map(([kind, count, href]) => [kind, 'soon', href, { count, since }]);
}

function findImportConcerns({ failedImports, undecidedImports }: Situation, t: Translate): Concern[] {
  const rows = [
    ['imports-failing', failedImports],
    ['imports-undecided', undecidedImports],
  ] as const;
  return rows
    .filter(([, titles]) => titles.length > 0)
    .map(([kind, titles]) => [kind, 'soon', 'imports', listOverviewNames(titles, t)]);
}

function findKeyConcerns({ keys, connections, isNew }: Situation, { t, locale, hasSteps }: ConcernWords): Concern[] {
  const expiring = keys.expiring.map(({ name, expiresAt }) => `${name} (${formatUtcTime(expiresAt, locale)})`);
  const without = connections.filter(({ tenant }) => tenant.status === 'active' && !keys.tenants.has(tenant.id));
  const isShownAsStep = isNew && hasSteps;
  const names = keys.isComplete && !isShownAsStep ? without.map(({ tenant }) => tenant.name) : [];
  const concerns: Concern[] = [
    ['keys-expiring', 'soon', 'keys', { ...listOverviewNames(expiring, t), days: KEY_WARNING_DAYS }],
    ['no-active-key', 'hint', 'keys', listOverviewNames(names, t)],
  ];
  return concerns.filter(([, , , values]) => values?.count !== 0);
}

/** Finds what keeps Slack from getting answers: an app or tokens that are missing or unreadable. */
function findSlackConcerns({ slack, host }: Situation, t: Translate): Concern[] {
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

/** Finds concerns that only owners can change, and see. */
function findHostConcerns({ host }: Situation): Concern[] {
  if (host === null) return [];
  const { publicUrl: address, owners, backupProblem } = host;
  // Plain http can be read on its way, except within one machine.
  const isOpen = address.startsWith('http:') && !isLoopbackAddress(address);
  return [
    ...(isOpen ? [['http-address', 'soon', 'system', { address }] as const] : []),
    ...(backupProblem === null
      ? []
      : [['backup-failed', 'broken', 'system', { problem: backupProblem.message }] as const]),
    ...(owners === 1 ? [['one-owner', 'hint', 'admins'] as const] : []),
  ];
}

/** Lists the first names, with how many more there are. */
function listOverviewNames(allNames: readonly string[], t: Translate) {
  const names = allNames.slice(0, MAX_NAMES).join(', ');
  const hiddenCount = allNames.length - MAX_NAMES;
  return {
    count: allNames.length,
    names: hiddenCount > 0 ? t('attention.andMore', { names, count: hiddenCount }) : names,
  };
}
