import { setTimeout as pause } from 'node:timers/promises';
import type { TenantScope } from '#domain/admin';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import { AppError, hasErrorCode } from '#errors';
import type { FeedbackState, ImportRecord, Period, TenantRecord } from '#ports/store/store';
import type { UpstreamOutcome } from '#ports/upstream';
import { findImportState, type ShownState } from '#services/catalogue/imports/import-records';
import type { UpstreamKeyName } from '#services/host/secrets';
import type { ShownKey } from '#services/searching/upstreams';
import { summariseApiKeys } from '#services/tenants/api-keys';
import type { AdminDeps } from '../deps.ts';
import type { SignedInContext } from '../route.ts';
import { describeSlackAppState } from '../workspaces/workspaces.ts';

export type Situation = Awaited<ReturnType<typeof assessSituation>>;
const MAX_TENANTS = 100;
/** Maximum time that the page waits for upstreams. */
const HEALTH_WAIT_MS = 1200;

/** `host` is null unless the person is an owner, `catalog` where this host stores the objects. */
export async function assessSituation(context: SignedInContext) {
  const { admin } = context.signedIn;
  const scope = admin.tenants;
  const [listed, keys, platforms, slack, feedback, deadLinks, repeated, owners] = await Promise.all([
    listTenantsForOverview(context, scope),
    summariseApiKeys(context.apiKeys, scope, context.clock.now()),
    countPlatforms(context, scope),
    summariseSlackSituation(context, scope),
    summariseFeedbackSituation(context, scope),
    // These are without links that somebody chose to leave.
    context.deadLinks.countDead(scope),
    summariseRepeats(context),
    admin.role === 'owner' ? context.admins.countAdmins('owner') : null,
  ]);
  const catalog = context.system.describeCatalog();
  const isNew = keys.active === 0 && keys.isComplete;
  const backups = owners === null ? null : ((await context.system.backups?.describe()) ?? null);
  const host =
    owners === null ? null : { publicUrl: context.publicUrl, owners, backupProblem: backups?.problem ?? null };
  return { ...listed, keys, platforms, slack, ...feedback, deadLinks, ...repeated, host, catalog, isNew };
}

/** Lists repeating imports that failed, or that await a decision and repeat only after it. */
async function summariseRepeats({ imports, clock }: SignedInContext) {
  const repeats = await imports.listNewestOfRepeats();
  const isIn = (record: ImportRecord, ...states: readonly ShownState[]) =>
    states.includes(findImportState(record, clock.now()));
  // Imports of files have no origin: whoever sends a file sees how it ends.
  const failed = repeats.filter((record) => record.origin !== null && isIn(record, 'failed', 'brokenOff'));
  const undecided = repeats.filter((record) => isIn(record, 'checked'));
  return { failedImports: failed.map(({ title }) => title), undecidedImports: undecided.map(({ title }) => title) };
}

async function listTenantsForOverview(context: SignedInContext, scope: TenantScope) {
  const list = { search: '', sort: 'name', descending: false, page: 0, pageSize: MAX_TENANTS } as const;
  const { items, total } = await context.tenants.listTenants({ scope, ...list });
  const tenants = items.filter(({ status }) => status !== 'deleting');
  const healths = await checkConnections(context, tenants, HEALTH_WAIT_MS);
  const described = healths.map((health, at) => describeConnection(context, tenants[at] as TenantRecord, health));
  return { connections: await Promise.all(described), tenants: total };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Counts the connected platforms without the course site of this host. */
async function countPlatforms({ ltiRegistrations }: SignedInContext, scope: TenantScope) {
  // The course site is among the first, as a host makes it before anybody connects a platform.
  const order = { search: '', sort: 'createdAt', descending: false, page: 0, pageSize: 100 } as const;
  const { items, total } = await ltiRegistrations.listRegistrations({ scope, ...order });
  return total - items.filter(({ origin }) => origin === 'demo').length;
}

async function summariseSlackSituation({ slackInstallations, slackCredentials }: SignedInContext, scope: TenantScope) {
  const [settings, { total }, unreadable] = await Promise.all([
    slackCredentials.describe(),
    slackInstallations.listInstallations({ scope, search: '', page: 0, pageSize: 1 }),
    slackInstallations.listUnreadable(scope),
  ]);
  const names = unreadable.map(({ name }) => name);
  return { app: describeSlackAppState(settings), workspaces: total, unreadable: names };
}

/** Counts feedback that waits for over an hour, is parked, or was refused in the last week. */
async function summariseFeedbackSituation({ feedback, clock }: SignedInContext, scope: TenantScope) {
  const now = clock.now().getTime();
  const request = { scope, provider: null, search: '', sort: 'receivedAt', page: 0, pageSize: 1 } as const;
  const countFeedback = (state: FeedbackState, received: Period, descending = true) =>
    feedback.listFeedback({ ...request, state, received, descending });
  const [waiting, parked, refused] = await Promise.all([
    countFeedback('waiting', { from: null, until: new Date(now - HOUR_MS) }, false),
    countFeedback('parked', { from: null, until: null }),
    countFeedback('refused', { from: new Date(now - WEEK_MS), until: null }),
  ]);
  return {
    waiting: { count: waiting.total, oldest: waiting.items[0]?.receivedAt ?? null },
    parked: parked.total,
    refused: refused.total,
  };
}

export type Connection = Awaited<ReturnType<typeof describeConnection>>;

export type Health =
  /** The embedded engine answers. */
  | { readonly state: 'own' }
  /** The tenant is disabled, so its upstream is not tested. */
  | { readonly state: 'off' }
  | { readonly state: 'checking' }
  | { readonly state: 'well'; readonly checkedAt: Date }
  | { readonly state: 'ill'; readonly checkedAt: Date; readonly outcome: UpstreamOutcome }
  /** The keys of this host cannot decrypt a saved key, so the upstream was not tested. */
  | { readonly state: 'unreadable' };

const keyLabels: Readonly<Record<UpstreamKeyName, string>> = {
  'upstream-api-key': 'upstream.apiKey',
  'marketplace-key': 'upstream.marketplaceKey',
};

async function describeConnection({ upstreams }: AdminDeps, tenant: TenantRecord, health: Health) {
  const keys = await upstreams.findKeys(tenant.id, tenant.upstream);
  return { tenant, servers: listServers(tenant), keys: keys.map(toSavedKey), health };
}

/** Lists the hosts that an upstream calls; none for the embedded engine. */
function listServers({ upstream }: TenantRecord): string[] {
  if (upstream.kind === 'local') return [];
  const urls = upstream.kind === 'direct' ? [upstream.url] : [upstream.marketplaceUrl, upstream.url];
  return [...new Set(urls.map((url) => (URL.canParse(url) ? new URL(url).host : url)))];
}

/** Describes a key. The label is a key of the catalogues; a short key shows no characters. */
function toSavedKey({ name, hint, isReadable }: ShownKey) {
  const label = keyLabels[name];
  if (hint === null) return { label, state: 'missing', lastFour: null } as const;
  return { label, state: isReadable ? 'saved' : 'unreadable', lastFour: hint.lastFour } as const;
}

const MAX_CHECKS = 10;
const MAX_WAITING = 1000;

/** Limits the tests of connections that run at once on this host. */
export function createHealthCheckLimit() {
  return limitConcurrency({
    running: MAX_CHECKS,
    waiting: MAX_WAITING,
    tooMany: () => new AppError('RATE_LIMITED', 'Too many connections are being checked. Try again in a minute.'),
  });
}

/** Tests one upstream, however long that takes. Errors: RATE_LIMITED, those of `findHealth`. */
export async function checkConnection(deps: AdminDeps, { id, status, upstream }: TenantRecord): Promise<Health> {
  const { limitHealthChecks, upstreams } = deps;
  if (status !== 'active') return { state: 'off' };
  if (upstream.kind === 'local') return { state: 'own' };
  try {
    const health = await limitHealthChecks(() => upstreams.findHealth(id));
    if (health === null) return { state: 'own' };
    const { checkedAt, calls } = health;
    const failed = calls.find(({ outcome }) => outcome !== 'ok');
    return failed === undefined ? { state: 'well', checkedAt } : { state: 'ill', checkedAt, outcome: failed.outcome };
  } catch (error) {
    if (hasErrorCode(error, 'SECRET_UNREADABLE')) return { state: 'unreadable' };
    throw error;
  }
}

/** Tests upstreams. One that fails or is late is `checking`; the page asks for it alone. */
async function checkConnections(deps: AdminDeps, tenants: readonly TenantRecord[], waitMs: number) {
  const patience = new AbortController();
  const late = pause<Health>(waitMs, { state: 'checking' }, { signal: patience.signal });
  // After the abort, nobody waits for the pause any more.
  late.catch(() => undefined);
  const checkSafely = (tenant: TenantRecord) =>
    checkConnection(deps, tenant).catch((): Health => ({ state: 'checking' }));
  const healths = await Promise.all(tenants.map((tenant) => Promise.race([checkSafely(tenant), late])));
  patience.abort();
  return healths;
}
