import { isAdminRoleAtLeast, isInScope } from '#domain/admin';
import type { Translate } from '#faces/words/i18n';
import { get, makePage, type PageContext, type Reply, type SignedInContext } from '../route.ts';
import { readTenantChoices, withChosenTenant } from '../tenants/tenant-lists.ts';
import { isUsableSlackApp } from '../workspaces/slack-app.ts';
import { findConcerns } from './attention.ts';
import { checkConnection, type Health } from './connections.ts';
import { assessSituation, type Situation } from './situation.ts';
import { CHART_DAYS, drawUsageCharts } from './usage-charts.ts';

/** The first page: what is connected, what needs attention, how much is used. */
export const overviewRoutes = [
  get('/', 'viewer', showOverview),
  get('/tenants/:tenantId/health', 'viewer', showHealth),
];

async function showOverview(context: SignedInContext): Promise<Reply> {
  const { signedIn, query, t, locale } = context;
  const chosen = readChosenTenant(query, signedIn.admin.tenants);
  const [situation, report, choices] = await Promise.all([
    assessSituation(context),
    context.usage.report(chosen === null ? signedIn.admin.tenants : [chosen], CHART_DAYS),
    readTenantChoices(context.tenants, signedIn.admin.tenants),
  ]);
  const objects = context.system.sizes.objects.toLocaleString(locale);
  const isFresh = situation.isNew || (chosen === null && report.totals.searches === 0);
  const hasSteps = isFresh && isAdminRoleAtLeast(signedIn.admin.role, 'manager') && situation.connections.length > 0;
  return makePage('overview', {
    situation,
    connections: situation.connections.map(({ health, ...connection }) => ({
      ...connection,
      health: describeHealth(health, context),
    })),
    concerns: findConcerns(situation, { t, locale, hasSteps }),
    allConcerns: query.get('concerns') === 'all',
    isChecking: situation.connections.some(({ health }) => health.state === 'checking'),
    steps: hasSteps ? listFirstSteps(situation, t, objects) : [],
    charts: drawUsageCharts(report, context),
    chosen,
    choices: withChosenTenant(choices, chosen ?? ''),
    objects,
  });
}

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

/** The steps of setting up a new host, and which of them are done. */
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
