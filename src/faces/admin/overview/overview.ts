import { isAdminRoleAtLeast, isInScope } from '#domain/admin';
import type { Translate } from '#faces/words/i18n';
import { get, makePage, type PageContext, post, type Reply, type SignedInContext } from '../route.ts';
import { isUsableSlackApp } from '../workspaces/slack-app.ts';
import { findConcerns } from './attention.ts';
import { checkConnection, type Health } from './connections.ts';
import { assessSituation, type Situation } from './situation.ts';
import { CHART_DAYS, cutUsageReport, drawKeyNumbers, drawUsageCharts } from './usage-charts.ts';

/** The first page: what is connected, what needs attention, how much is used. */
export const overviewRoutes = [
  get('/', 'viewer', showOverview),
  get('/tenants/:tenantId/health', 'viewer', showHealth),
  post('/concerns', 'viewer', dismissConcern),
];

async function showOverview(context: SignedInContext): Promise<Reply> {
  const { signedIn, query, t, locale } = context;
  const chosen = readChosenTenant(query, signedIn.admin.tenants);
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
      health: describeHealth(health, context),
    })),
    ...chooseConcerns(context, findConcerns(situation, { t, locale, hasSteps })),
    allConcerns: query.get('concerns') === 'all',
    isChecking: situation.connections.some(({ health }) => health.state === 'checking'),
    steps: hasSteps ? listFirstSteps(situation, t, objects) : [],
    numbers: drawKeyNumbers(longReport, context),
    charts: drawUsageCharts(report, context),
    objects,
  });
}

const DISMISSED_DAYS = 30;

/** Concerns without those that were put aside in this browser; what is broken always shows. */
function chooseConcerns({ cookie, query }: SignedInContext, concerns: ReturnType<typeof findConcerns>) {
  const dismissed = readDismissed(cookie('dismissed'));
  const visible = concerns.filter(({ kind, level }) => level === 'broken' || !dismissed.includes(kind));
  const hidden = concerns.length - visible.length;
  return query.get('concerns') === 'all' ? { concerns, hidden: 0 } : { concerns: visible, hidden };
}

/** Puts a concern aside for a month, or shows all of them again. */
function dismissConcern({ cookie, form, clock }: SignedInContext): Reply {
  const kind = form.get('kind') ?? '';
  const kinds = /^[a-z-]{1,40}$/.test(kind) ? [...new Set([...readDismissed(cookie('dismissed')), kind])] : [];
  const expiresAt = new Date(clock.now().getTime() + DISMISSED_DAYS * 86_400_000);
  const change = {
    name: 'dismissed',
    value: kinds.length === 0 ? null : kinds.slice(-12).join('.'),
    expiresAt,
  } as const;
  return { kind: 'redirect', to: '/admin#attention', cookies: [change] };
}

const readDismissed = (value: string | undefined): string[] => value?.split('.').filter((kind) => kind !== '') ?? [];

/** For the browser code, which shows it in place, and as a page for those without. */
async function showHealth(context: SignedInContext): Promise<Reply> {
  const { param, request } = context;
  const tenant = await context.tenants.getTenant(param('tenantId'));
  const health = describeHealth(await checkConnection(context, tenant), context);
  if (request.accepts(['html', 'json']) === 'json') return { kind: 'json', body: health };
  return makePage('health', { tenant, health });
}

/** A state in words, and the class of its mark. */
function describeHealth(health: Health, { t, locale }: Pick<PageContext, 't' | 'locale'>) {
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

function readChosenTenant(query: URLSearchParams, scope: readonly string[] | null): string | null {
  const tenantId = query.get('tenant');
  return tenantId !== null && tenantId !== '' && isInScope(scope, tenantId) ? tenantId : null;
}

function listFirstSteps({ connections, keys, platforms, slack }: Situation, t: Translate, objects: string) {
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
