import { type Actor, isInAdminScope, systemActor, type TenantScope } from '#domain/admin';
import { DEFAULT_TENANT } from '#domain/tenant';
import type { Clock } from '#ports/clock';
import type {
  SlackInstallationListRequest,
  SlackInstallationRecord,
  SlackInstallationRepository,
  TenantRepository,
} from '#ports/store/store';
import type { Secrets } from '#services/host/secrets';
import type { Audit } from '#services/tenants/audit';
import { getActiveTenant } from '#services/tenants/tenant-records';
import type { People } from '../people.ts';
import * as records from './installation-records.ts';
import { createRecentInstalls, type RecentInstalls } from './recent-installs.ts';
import { createSlackRemoval, type SlackRemoval } from './removal.ts';

export interface NewSlackInstallation extends Omit<SlackInstallationRecord, 'tenantId' | 'installedAt'> {
  readonly botToken: string;
}

interface SlackInstallationsDeps {
  readonly installations: SlackInstallationRepository;
  readonly tenants: TenantRepository;
  readonly secrets: Secrets;
  readonly people: Pick<People, 'forgetAll'>;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Origin of Slack's API, the only one that tokens are sent to. */
  readonly apiOrigin: string;
  onProblem(error: unknown): void;
}

/** The clocks of Slack and this host differ by less, as later or earlier requests are refused. */
const CLOCK_TOLERANCE_MS = 300_000;

interface SlackState extends SlackInstallationsDeps {
  readonly recent: RecentInstalls;
  readonly removal: SlackRemoval;
}

/** Connects workspaces with one tenant each. @param now milliseconds of a monotonic clock */
export function createSlackInstallations(deps: SlackInstallationsDeps, now = () => performance.now()) {
  const { installations } = deps;
  const recent = createRecentInstalls({ ...deps, now });
  const removal = createSlackRemoval({ ...deps, clearCache: recent.clearCache });
  const state = { ...deps, recent, removal };
  return {
    /** Adds or replaces an installation; null is its present tenant, else the default one. Errors:
     *  SLACK_WORKSPACE_TAKEN by another tenant, TENANT_UNKNOWN, TENANT_DISABLED. */
    install: (installation: NewSlackInstallation, tenantId: string | null) => install(state, installation, tenantId),
    findInstalled: recent.find,
    /** Errors: SLACK_WORKSPACE_UNKNOWN, also outside the scope. */
    getInstallation: (scope: TenantScope, id: string) => getSlackInstallation(installations, scope, id),
    listInstallations: (request: SlackInstallationListRequest) => installations.listInstallations(request),
    /** Returns installations whose token this host cannot open: the app must be installed again. */
    listUnreadable: (scope: TenantScope) => listUnreadableInstallations(deps, scope),
    /** Removes an installation with its people, but no shelf shared with other accounts. @returns
     *  the token, to be revoked; null if unreadable. Errors: SLACK_WORKSPACE_UNKNOWN. */
    disconnect: (actor: Actor, scope: TenantScope, id: string) => disconnect(state, actor, scope, id),
    /** Removes an installation after Slack reported a removal at `removedAt`, the end of that
     *  second; a later installation stays. Within five minutes, as clocks may differ,
     *  `isInstalled` decides, if given. @returns false if nothing was removed. Errors: those
     *  of `isInstalled`. */
    erase: (id: string, removedAt: Date, isInstalled?: (botToken: string) => Promise<boolean>) =>
      eraseInstallation(state, id, removedAt, isInstalled),
    /** Finishes removals that a stop interrupted. */
    eraseLeftovers: () => removal.removeLeftovers(),
    /** Finishes removals without waiting for the minute. */
    close: () => removal.close(),
  };
}

async function install(
  state: SlackState,
  { botToken, ...installation }: NewSlackInstallation,
  tenantId: string | null,
) {
  const { installations, tenants, audit, clock } = state;
  const before = await installations.findInstallation(installation.id);
  const owner = tenantId ?? before?.tenantId ?? DEFAULT_TENANT;
  await getActiveTenant(tenants, owner);
  if (before !== null && before.tenantId !== owner) throw records.createWorkspaceTakenError(before);
  const record = { ...installation, tenantId: owner, installedAt: clock.now() };
  await putSlackInstallation(state, record, botToken);
  const details = { installedBy: record.installedBy };
  await records.recordInstallation(audit, systemActor, { action: 'workspace.connected', record, details });
  return record;
}

/** Stores the token first, so that the record never names a missing one. Replacing a record removes
 *  its former token, also while others install and remove. Errors: SLACK_WORKSPACE_TAKEN. */
async function putSlackInstallation(
  state: SlackState,
  record: SlackInstallationRecord,
  botToken: string,
): Promise<void> {
  const { installations, secrets, apiOrigin, recent } = state;
  const secret = { plain: botToken, boundTo: apiOrigin };
  await secrets.putSecret(record.tenantId, records.nameInstallationTokenSecret(record), secret);
  const before = await installations.putInstallation(record);
  recent.clearCache();
  if (before === 'taken') {
    await records.removeInstallationToken(secrets, record);
    throw records.createWorkspaceTakenError(record);
  }
  if (before !== null && records.nameInstallationTokenSecret(before) !== records.nameInstallationTokenSecret(record))
    await records.removeInstallationToken(secrets, before);
}

async function getSlackInstallation(installations: SlackInstallationRepository, scope: TenantScope, id: string) {
  const record = await installations.findInstallation(id);
  if (record === null || !isInAdminScope(scope, record.tenantId)) throw records.createWorkspaceUnknownError();
  return record;
}

async function listUnreadableInstallations({ installations, secrets }: SlackInstallationsDeps, scope: TenantScope) {
  const unreadable: SlackInstallationRecord[] = [];
  for await (const secret of secrets.listStored(records.TOKEN_PREFIX)) {
    if (secret.state === 'readable' || !isInAdminScope(scope, secret.tenantId)) continue;
    const record = await installations.findInstallation(records.readInstallationToken(secret).id);
    if (record !== null && records.nameInstallationTokenSecret(record) === secret.name) unreadable.push(record);
  }
  return unreadable;
}

async function disconnect(state: SlackState, actor: Actor, scope: TenantScope, id: string): Promise<string | null> {
  const { installations, secrets, audit, apiOrigin, removal } = state;
  const record = await getSlackInstallation(installations, scope, id);
  const token = await records.findInstallationToken(secrets, record, apiOrigin);
  if (!(await removal.remove(record, null))) throw records.createWorkspaceUnknownError();
  await records.recordInstallation(audit, actor, { action: 'workspace.disconnected', record });
  return token;
}

async function eraseInstallation(
  { installations, secrets, audit, apiOrigin, removal }: SlackState,
  id: string,
  removedAt: Date,
  isInstalled?: (botToken: string) => Promise<boolean>,
): Promise<boolean> {
  const record = await installations.findInstallation(id);
  if (record === null) return false;
  const apartMs = record.installedAt.getTime() - removedAt.getTime();
  const isUncertain = isInstalled !== undefined && Math.abs(apartMs) <= CLOCK_TOLERANCE_MS;
  const token = isUncertain ? await records.findInstallationToken(secrets, record, apiOrigin) : null;
  if (isUncertain && token !== null ? await isInstalled(token) : apartMs > 0) return false;
  if (!(await removal.remove(record, isUncertain ? record.installedAt : removedAt))) return false;
  await records.recordInstallation(audit, systemActor, { action: 'workspace.removed-in-slack', record });
  return true;
}
