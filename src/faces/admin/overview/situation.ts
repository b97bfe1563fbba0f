import type { TenantScope } from '#domain/admin';
import type { CatalogPlace } from '#domain/catalog';
import type { ImportRecord } from '#ports/store/store';
import { findImportState, type ShownState } from '#services/catalogue/imports/import-records';
import type { SignedIn } from '#services/tenants/admins/admin-sessions';
import type { AdminFaceDeps } from '../deps.ts';
import type { SlackAppState } from '../workspaces/describe-slack.ts';
import { type Connection, describeConnection, type HealthChecks } from './connections.ts';
import {
  countPlatforms,
  type KeySummary,
  summariseFeedback,
  summariseHost,
  summariseKeys,
  summariseSlack,
} from './summaries.ts';

/** The state of the tenants and of the host, within the scope of an administrator. */
export interface Situation {
  /** By name; at most `MAX_TENANTS`. */
  readonly connections: readonly Connection[];
  /** Number of tenants, including those that are not in `connections`. */
  readonly tenants: number;
  readonly keys: KeySummary;
  /** Number of registered platforms. */
  readonly platforms: number;
  /** The app of the host, and the number of workspaces and organisations with the app. */
  readonly slack: {
    readonly app: SlackAppState;
    readonly workspaces: number;
    /** Names of the workspaces whose token cannot be decrypted. */
    readonly unreadable: readonly string[];
  };
  /** Number of feedbacks that wait for more than an hour, and the time of the oldest. */
  readonly waiting: { readonly count: number; readonly oldest: Date | null };
  /** Number of parked feedbacks, which are delivered only if an administrator retries them. */
  readonly parked: number;
  /** Number of feedbacks of the last week that the upstream refused. */
  readonly refused: number;
  /** Number of objects in courses with dead addresses, except those that somebody chose to
   *  leave. */
  readonly deadLinks: number;
  /** Titles of repeating imports whose last run failed or was interrupted. */
  readonly failedImports: readonly string[];
  /** Titles of imports that await a decision; until then, their datasets are not imported again
   *  automatically. */
  readonly undecidedImports: readonly string[];
  /** Null if this host stores the learning objects. */
  readonly catalog: CatalogPlace | null;
  /** Whether no API key exists yet. */
  readonly isNew: boolean;
  /** Null for administrators who are not owners. */
  readonly host: {
    readonly publicUrl: string;
    readonly owners: number;
  } | null;
}

export const MAX_TENANTS = 100;
/** Maximum time that the page waits for upstreams. */
const HEALTH_WAIT_MS = 1200;

export async function assessSituation(
  { admin }: SignedIn,
  checks: HealthChecks,
  deps: AdminFaceDeps,
): Promise<Situation> {
  const scope = admin.tenants;
  const [listed, keys, platforms, slack, feedback, deadLinks, repeated, host] = await Promise.all([
    listTenants(scope, checks, deps),
    summariseKeys(scope, deps),
    countPlatforms(scope, deps),
    summariseSlack(scope, deps),
    summariseFeedback(scope, deps),
    deps.deadLinks.countDead(scope),
    summariseRepeats(deps),
    admin.role === 'owner' ? summariseHost(deps) : null,
  ]);
  return {
    ...listed,
    keys,
    platforms,
    slack,
    ...feedback,
    deadLinks,
    ...repeated,
    host,
    catalog: deps.system.describeCatalog(),
    isNew: keys.active === 0 && keys.isComplete,
  };
}

async function summariseRepeats({ imports, clock }: AdminFaceDeps) {
  const repeats = await imports.listNewestOfRepeats();
  const isIn = (record: ImportRecord, ...states: readonly ShownState[]) =>
    states.includes(findImportState(record, clock.now()));
  // Whoever sends a file sees how it ends.
  const failed = repeats.filter((record) => record.origin !== null && isIn(record, 'failed', 'brokenOff'));
  const undecided = repeats.filter((record) => isIn(record, 'checked'));
  return {
    failedImports: failed.map(({ title }) => title),
    undecidedImports: undecided.map(({ title }) => title),
  };
}

async function listTenants(scope: TenantScope, checks: HealthChecks, { tenants, upstreams }: AdminFaceDeps) {
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
  const connections = healths.map((health) => describeConnection(health, upstreams));
  return { connections: await Promise.all(connections), tenants: total };
}
