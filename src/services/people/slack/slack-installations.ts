import { type Actor, isInScope, systemActor, type TenantScope } from '#domain/admin';
import { DEFAULT_TENANT } from '#domain/tenant';
import type { Clock } from '#ports/clock';
import type {
  Page,
  SlackInstallationListRequest,
  SlackInstallationRecord,
  SlackInstallationRepository,
  TenantRepository,
} from '#ports/store/store';
import type { Secrets } from '#services/host/secrets';
import type { Audit } from '#services/tenants/audit';
import { getActiveTenant } from '#services/tenants/tenant-records';
import type { People } from '../people.ts';
import {
  createWorkspaceTakenError,
  createWorkspaceUnknownError,
  findInstallationToken,
  nameInstallationTokenSecret,
  readInstallationToken,
  recordInstallation,
  removeInstallationToken,
  TOKEN_PREFIX,
} from './installation-records.ts';
import { createRecentInstalls, type InstalledSlack, type SlackSource } from './recent-installs.ts';
import { createRemoval } from './removal.ts';

/** What Slack says when somebody has installed the app. */
export interface NewSlackInstallation extends Omit<SlackInstallationRecord, 'tenantId' | 'installedAt'> {
  readonly botToken: string;
}

/** Workspaces and organisations with the app. Each belongs to one tenant; every change is in the audit trail. */
export interface SlackInstallations {
  /** Keeps it, or renews what is there. `tenantId` null takes the tenant it has already, else the default one.
   *  Errors: SLACK_WORKSPACE_TAKEN when it is another tenant's, TENANT_UNKNOWN, TENANT_DISABLED. */
  install(installation: NewSlackInstallation, tenantId: string | null): Promise<SlackInstallationRecord>;
  /** Remembered for a second, so that a conversation does not ask the store each time. Null where there is none; also that of
   *  an organisation where a workspace of it has none of its own. Errors: SECRET_UNREADABLE, TENANT_DISABLED. */
  findInstalled(source: SlackSource): Promise<InstalledSlack | null>;
  /** Errors: SLACK_WORKSPACE_UNKNOWN, also when it is not of this scope. */
  getInstallation(scope: TenantScope, id: string): Promise<SlackInstallationRecord>;
  listInstallations(request: SlackInstallationListRequest): Promise<Page<SlackInstallationRecord>>;
  /** Those whose token cannot be opened with the keys of this host: the app has to be installed there again. */
  listUnreadable(scope: TenantScope): Promise<readonly SlackInstallationRecord[]>;
  /** Removes it with all that is kept of its people, whether they linked themselves or not: what they share with an account
   *  elsewhere stays there. Its token is not used any more, and what is sealed goes a minute later.
   *  @returns its token, to be revoked; null where it has none that can be read.
   *  Errors: SLACK_WORKSPACE_UNKNOWN. */
  disconnect(actor: Actor, scope: TenantScope, id: string): Promise<string | null>;
  /** The same, because Slack says that the app was removed at `removedAt`, of which it gives whole seconds: take their end. What
   *  was installed after that stays. Where that is within five minutes, which Slack's clock and ours may be apart, it is for
   *  `isInstalled` to say, if given. False when nothing was removed: there is none (any more), it was installed later, or
   *  Slack still takes its token. Errors: those of `isInstalled`. */
  erase(id: string, removedAt: Date, isInstalled?: (botToken: string) => Promise<boolean>): Promise<boolean>;
  /** Takes tokens that no installation has and the people of workspaces that are not there: what is left where a host ended in
   *  the middle of an installation or within a minute after a removal. */
  eraseLeft(): Promise<void>;
  /** Does now what is still to be done a minute after a removal. */
  close(): Promise<void>;
}

export interface SlackInstallationsDeps {
  readonly installations: SlackInstallationRepository;
  readonly tenants: TenantRepository;
  readonly secrets: Secrets;
  readonly people: Pick<People, 'forgetAll'>;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Origin of Slack's API: the tokens are sent nowhere else. */
  readonly apiOrigin: string;
  /** Told of what went wrong in passing. */
  onProblem(error: unknown): void;
}

/** Requests from Slack are refused if the clocks are further apart. */
const CLOCKS_APART_MS = 300_000;

export function createSlackInstallations(
  deps: SlackInstallationsDeps,
  now = () => performance.now(),
): SlackInstallations {
  const { installations, tenants, secrets, audit, clock, apiOrigin } = deps;
  const recent = createRecentInstalls({ ...deps, now });
  const removal = createRemoval({ ...deps, forgetRecent: recent.forget });

  async function getInstallation(scope: TenantScope, id: string): Promise<SlackInstallationRecord> {
    const record = await installations.findInstallation(id);
    if (record === null || !isInScope(scope, record.tenantId)) throw createWorkspaceUnknownError();
    return record;
  }

  /** The token goes first and by a name of its own, so that the record shows one that is there. Replacing a record also removes
   *  its token: even if several people install and remove at once, only the record's token is left.
   *  Errors: SLACK_WORKSPACE_TAKEN. */
  async function put(record: SlackInstallationRecord, botToken: string): Promise<void> {
    await secrets.putSecret(record.tenantId, nameInstallationTokenSecret(record), {
      plain: botToken,
      boundTo: apiOrigin,
    });
    const before = await installations.putInstallation(record);
    recent.forget();
    if (before === 'taken') {
      await removeInstallationToken(secrets, record);
      throw createWorkspaceTakenError(record);
    }
    if (before !== null && nameInstallationTokenSecret(before) !== nameInstallationTokenSecret(record))
      await removeInstallationToken(secrets, before);
  }

  return {
    async install({ botToken, ...installation }, tenantId) {
      const before = await installations.findInstallation(installation.id);
      const wanted = tenantId ?? before?.tenantId ?? DEFAULT_TENANT;
      await getActiveTenant(tenants, wanted);
      if (before !== null && before.tenantId !== wanted) throw createWorkspaceTakenError(before);
      const record = { ...installation, tenantId: wanted, installedAt: clock.now() };
      await put(record, botToken);
      const details = { installedBy: record.installedBy };
      await recordInstallation(audit, systemActor, { action: 'workspace.connected', record, details });
      return record;
    },
    findInstalled: recent.find,
    getInstallation,
    listInstallations: (request) => installations.listInstallations(request),
    async listUnreadable(scope) {
      const found: SlackInstallationRecord[] = [];
      for await (const secret of secrets.listStored(TOKEN_PREFIX)) {
        if (secret.state === 'readable' || !isInScope(scope, secret.tenantId)) continue;
        const record = await installations.findInstallation(readInstallationToken(secret).id);
        if (record !== null && nameInstallationTokenSecret(record) === secret.name) found.push(record);
      }
      return found;
    },
    async disconnect(actor, scope, id) {
      const record = await getInstallation(scope, id);
      const token = await findInstallationToken(secrets, record, apiOrigin);
      if (!(await removal.remove(record, null))) throw createWorkspaceUnknownError();
      await recordInstallation(audit, actor, { action: 'workspace.disconnected', record });
      return token;
    },
    async erase(id, removedAt, isInstalled) {
      const record = await installations.findInstallation(id);
      if (record === null) return false;
      const apartMs = record.installedAt.getTime() - removedAt.getTime();
      const isOpen = isInstalled !== undefined && Math.abs(apartMs) <= CLOCKS_APART_MS;
      const token = isOpen ? await findInstallationToken(secrets, record, apiOrigin) : null;
      if (isOpen && token !== null ? await isInstalled(token) : apartMs > 0) return false;
      if (!(await removal.remove(record, isOpen ? record.installedAt : removedAt))) return false;
      await recordInstallation(audit, systemActor, { action: 'workspace.removed-in-slack', record });
      return true;
    },
    eraseLeft: () => removal.removeLeft(),
    close: () => removal.close(),
  };
}
