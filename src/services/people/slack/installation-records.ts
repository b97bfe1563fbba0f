import type { Actor } from '#domain/admin';
import { AppError, hasErrorCode } from '#errors';
import type { SecretRecord, SlackInstallationRecord } from '#ports/store/store';
import type { SecretName, Secrets } from '#services/host/secrets';
import type { Audit, AuditAction } from '#services/tenants/audit';

export type InstalledToken = Pick<SlackInstallationRecord, 'tenantId' | 'id' | 'installedAt'>;
export const TOKEN_PREFIX = 'slack-bot-token:';

/** The name changes with each installation: removing an older token cannot remove a newer one. */
export const nameInstallationTokenSecret = ({ id, installedAt }: Omit<InstalledToken, 'tenantId'>): SecretName =>
  `${TOKEN_PREFIX}${id}:${installedAt.getTime()}`;

/** Reads the name of a stored token. */
export function readInstallationToken({ tenantId, name }: Pick<SecretRecord, 'tenantId' | 'name'>): InstalledToken {
  const [id = '', installedMs] = name.slice(TOKEN_PREFIX.length).split(':');
  return { tenantId, id, installedAt: new Date(Number(installedMs)) };
}

/** Returns null also if the token is sealed under a key that this host does not have. */
export async function findInstallationToken(
  secrets: Secrets,
  record: SlackInstallationRecord,
  apiOrigin: string,
): Promise<string | null> {
  try {
    return await secrets.findSecret(record.tenantId, nameInstallationTokenSecret(record), apiOrigin);
  } catch (error) {
    if (hasErrorCode(error, 'SECRET_UNREADABLE')) return null;
    throw error;
  }
}

export const removeInstallationToken = (secrets: Secrets, token: InstalledToken): Promise<boolean> =>
  secrets.removeSecret(token.tenantId, nameInstallationTokenSecret(token));

interface WorkspaceEvent {
  readonly action: AuditAction & `workspace.${string}`;
  readonly record: SlackInstallationRecord;
  readonly details?: Readonly<Record<string, string>>;
}

export function recordInstallation(audit: Audit, actor: Actor, event: WorkspaceEvent): Promise<void> {
  const { action, record, details = {} } = event;
  const { id, kind, name, tenantId } = record;
  return audit.record(actor, { action, tenantId, target: name, details: { id, kind, ...details } });
}

export function createWorkspaceUnknownError(): AppError {
  return new AppError(
    'SLACK_WORKSPACE_UNKNOWN',
    'This workspace is not connected (any more). The list of workspaces shows those that are.',
  );
}

export function createWorkspaceTakenError({ name }: SlackInstallationRecord): AppError {
  return new AppError(
    'SLACK_WORKSPACE_TAKEN',
    `${name} is already connected to another institution on this server. Ask the server’s operator to disconnect it there first.`,
    { data: { name } },
  );
}
