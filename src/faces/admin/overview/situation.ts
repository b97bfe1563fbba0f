import type { TenantScope } from '../../../domain/admin.ts';
import type { TenantRecord } from '../../../ports/store/store.ts';
import type { SignedIn } from '../../../services/admins/admin-sessions.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type SlackAppState, stateOf } from '../workspaces/describe-slack.ts';
import { type Connection, describeConnection, type HealthChecks } from './connections.ts';
import { countPlatforms, type KeySummary, summariseKeys } from './summaries.ts';

/** How things stand for what somebody may see. */
export interface Situation {
  /** By name; at most `MAX_TENANTS`. */
  readonly connections: readonly Connection[];
  /** Of the scope, also those that are not among `connections`. */
  readonly tenants: number;
  readonly keys: KeySummary;
  /** Platforms of courses. */
  readonly platforms: number;
  /** The app of the host, and the workspaces and organisations that it is installed in. */
  readonly slack: { readonly app: SlackAppState; readonly workspaces: number };
  /** Feedback that waits for longer than an hour, and the oldest of it. */
  readonly waiting: { readonly count: number; readonly oldest: Date | null };
  /** Feedback that nobody tries to deliver any more until somebody here does. */
  readonly parked: number;
  /** Feedback of the last week that was refused for good. */
  readonly refused: number;
  /** Nobody has a key yet. */
  readonly isNew: boolean;
  /** For owners. */
  readonly host: { readonly publicUrl: string; readonly owners: number } | null;
}

export const MAX_TENANTS = 100;
/** A page is not held up longer by upstreams that do not answer. */
const HEALTH_WAIT_MS = 1200;
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

type Deps = Pick<
  AdminFaceDeps,
  | 'tenants'
  | 'upstreams'
  | 'apiKeys'
  | 'ltiRegistrations'
  | 'slackInstallations'
  | 'slackCredentials'
  | 'feedback'
  | 'admins'
  | 'clock'
  | 'publicUrl'
>;

export async function assessSituation(
  { admin }: SignedIn,
  checks: HealthChecks,
  deps: Deps,
): Promise<Situation> {
  const scope = admin.tenants;
  const [listed, keys, platforms, slack, feedback, host] = await Promise.all([
    listTenants(scope, checks, deps),
    summariseKeys(deps.apiKeys, scope, deps.clock.now()),
    countPlatforms(deps.ltiRegistrations, scope),
    summariseSlack(scope, deps),
    summariseFeedback(scope, deps),
    admin.role === 'owner' ? describeHost(deps) : null,
  ]);
  return {
    ...listed,
    keys,
    platforms,
    slack,
    ...feedback,
    host,
    isNew: keys.active === 0 && keys.isComplete,
  };
}

async function listTenants(scope: TenantScope, checks: HealthChecks, { tenants, upstreams }: Deps) {
  const request = {
    scope,
    search: '',
    sort: 'name',
    descending: false,
    page: 0,
    pageSize: MAX_TENANTS,
  } as const;
  const { items, total } = await tenants.listTenants(request);
  const shown = items.filter(({ status }) => status !== 'deleting');
  const healths = await checks.checkAll(shown, HEALTH_WAIT_MS);
  const describe = (tenant: TenantRecord, index: number) =>
    describeConnection(tenant, healths[index]!, upstreams);
  return { connections: await Promise.all(shown.map(describe)), tenants: total };
}

async function summariseSlack(scope: TenantScope, { slackInstallations, slackCredentials }: Deps) {
  const [settings, { total }] = await Promise.all([
    slackCredentials.describe(),
    slackInstallations.listInstallations({ scope, search: '', page: 0, pageSize: 1 }),
  ]);
  return { app: stateOf(settings), workspaces: total };
}

async function summariseFeedback(scope: TenantScope, { feedback, clock }: Deps) {
  const now = clock.now().getTime();
  const request = { scope, provider: null, search: '', sort: 'receivedAt', page: 0, pageSize: 1 } as const;
  const ever = { from: null, until: null };
  const [waiting, parked, refused] = await Promise.all([
    feedback.listFeedback({
      ...request,
      state: 'waiting',
      received: { from: null, until: new Date(now - HOUR_MS) },
      descending: false,
    }),
    feedback.listFeedback({ ...request, state: 'parked', received: ever, descending: true }),
    feedback.listFeedback({
      ...request,
      state: 'refused',
      received: { from: new Date(now - WEEK_MS), until: null },
      descending: true,
    }),
  ]);
  return {
    waiting: { count: waiting.total, oldest: waiting.items[0]?.receivedAt ?? null },
    parked: parked.total,
    refused: refused.total,
  };
}

async function describeHost({ admins, publicUrl }: Deps) {
  return { publicUrl, owners: await admins.countAdmins('owner') };
}
