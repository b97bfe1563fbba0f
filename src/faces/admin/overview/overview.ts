import { isAdminRoleAtLeast, isInScope } from '#domain/admin';
import type { Translate } from '#faces/words/i18n';
import type { AdminDeps } from '../deps.ts';
import { type AdminRoute, makePage, type PageContext, type Reply, type SignedInContext } from '../route.ts';
import { readTenantChoices, withChosenTenant } from '../tenants/tenant-choices.ts';
import { isUsableSlackApp } from '../workspaces/describe-slack.ts';
import { findConcerns } from './attention.ts';
import type { Health } from './connections.ts';
import { assessSituation, type Situation } from './situation.ts';
import { CHART_DAYS, drawUsageCharts } from './usage-charts.ts';

/** The first page: what is connected, what needs attention, how much is used. */
export const overviewRoutes: AdminRoute[] = [
  { method: 'get', path: '/', access: 'viewer', handle: showOverview },
  { method: 'get', path: '/tenants/:tenantId/health', access: 'viewer', handle: showHealth },
];

async function showOverview({ signedIn, query, t, locale }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const chosen = readChosenTenant(query, signedIn.admin.tenants);
  const [situation, report, choices] = await Promise.all([
    assessSituation(signedIn, deps.connectionChecks, deps),
    deps.usage.report(chosen === null ? signedIn.admin.tenants : [chosen], CHART_DAYS),
    readTenantChoices(deps.tenants, signedIn.admin.tenants),
  ]);
  const objects = deps.system.sizes.objects.toLocaleString(locale);
  const isFresh = situation.isNew || (chosen === null && report.totals.searches === 0);
  const hasSteps = isFresh && isAdminRoleAtLeast(signedIn.admin.role, 'manager') && situation.connections.length > 0;
  return makePage('overview', {
    situation,
    connections: situation.connections.map(({ health, ...connection }) => ({
      ...connection,
      health: describeHealth(health, { t, locale }),
    })),
    concerns: findConcerns(situation, { t, locale, hasSteps }),
    allConcerns: query.get('concerns') === 'all',
    isChecking: situation.connections.some(({ health }) => health.state === 'checking'),
    steps: hasSteps ? listFirstSteps(situation, { t, objects }) : [],
    charts: drawUsageCharts(report, { t, locale }),
    chosen,
    choices: withChosenTenant(choices, chosen ?? ''),
    objects,
  });
}

/** For the browser code, which shows it in place, and as a page for those without. */
async function showHealth({ param, request, t, locale }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const tenant = await deps.tenants.getTenant(param('tenantId'));
  const health = describeHealth(await deps.connectionChecks.check(tenant), { t, locale });
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

/** A step of setting up a host. */
interface Step {
  readonly state: 'done' | 'open';
  readonly title: string;
  readonly text: string;
  readonly link: { readonly href: string; readonly label: string };
}

interface StepFacts {
  readonly kind: 'source' | 'key' | 'lms' | 'slack';
  readonly state: Step['state'];
  /** Which of the texts of the kind fits. */
  readonly text: string;
  readonly href: string;
}

/** The steps of setting up a new host, and which of them are done. */
function listFirstSteps(
  { connections, keys, platforms, slack }: Situation,
  { t, objects }: { t: Translate; objects: string },
): Step[] {
  const connected = connections.filter(({ tenant }) => tenant.upstream.kind !== 'local');
  const [first, ...more] = connections;
  const only = first !== undefined && more.length === 0 ? `/${first.tenant.id}` : '';
  const steps: StepFacts[] = [
    {
      kind: 'source',
      state: 'done',
      text: connected.length > 0 ? 'connected' : 'own',
      href: `/admin/tenants${only}`,
    },
    {
      kind: 'key',
      state: keys.active > 0 ? 'done' : 'open',
      text: keys.active > 0 ? 'done' : 'open',
      href: '/admin/keys',
    },
    {
      kind: 'lms',
      state: platforms > 0 ? 'done' : 'open',
      text: platforms > 0 ? 'done' : 'open',
      href: '/admin/registrations',
    },
    {
      kind: 'slack',
      state: slack.workspaces > 0 ? 'done' : 'open',
      text: slack.workspaces > 0 ? 'done' : isUsableSlackApp(slack.app) ? 'ready' : 'open',
      href: '/admin/workspaces',
    },
  ];
  const values = {
    objects,
    names: connected.map(({ tenant }) => tenant.name).join(', '),
    count: keys.active,
    platforms,
    workspaces: slack.workspaces,
  };
  return steps.map(({ kind, state, text, href }) => ({
    state,
    title: t(`firstSteps.${kind}.title`),
    text: t(`firstSteps.${kind}.${text}`, values),
    link: { href, label: t(`firstSteps.${kind}.link`) },
  }));
}
