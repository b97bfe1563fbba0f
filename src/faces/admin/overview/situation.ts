import type { TenantScope } from '#domain/admin';
import type { CatalogPlace } from '#domain/catalog';
import type { ImportRecord } from '#ports/store/store';
import { findShownImportState, type ShownState } from '#services/catalogue/imports/import-records';
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

/** The state of everything that somebody may see. */
export interface Situation {
  /** By name; at most `MAX_TENANTS`. */
  readonly connections: readonly Connection[];
  /** How many there are, including those that are not among `connections`. */
  readonly tenants: number;
  readonly keys: KeySummary;
  /** Platforms of courses. */
  readonly platforms: number;
  /** The app of the host, and the workspaces and organisations that it is installed in. */
  readonly slack: {
    readonly app: SlackAppState;
    readonly workspaces: number;
    /** Names of those whose token cannot be opened. */
    readonly unreadable: readonly string[];
  };
  /** Feedback that waits for longer than an hour, and the oldest of it. */
  readonly waiting: { readonly count: number; readonly oldest: Date | null };
  /** Feedback that is no longer delivered until somebody here retries it. */
  readonly parked: number;
  /** Feedback of the last week that was refused for good. */
  readonly refused: number;
  /** Objects in courses whose addresses are dead, and that nobody decided to leave. */
  readonly deadLinks: number;
  /** Titles of imports that repeat and failed, or were broken off, the last time. */
  readonly failedImports: readonly string[];
  /** Titles of imports that nobody has decided about, so that their datasets are not imported again
   *  by themselves. */
  readonly undecidedImports: readonly string[];
  /** Null where learning objects are kept in this host. */
  readonly catalog: CatalogPlace | null;
  /** Nobody has a key yet. */
  readonly isNew: boolean;
  /** For owners. */
  readonly host: {
    readonly publicUrl: string;
    readonly owners: number;
  } | null;
}

export const MAX_TENANTS = 100;
/** The page does not wait longer for upstreams that do not answer. */
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
    states.includes(findShownImportState(record, clock.now()));
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
