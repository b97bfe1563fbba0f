import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '#errors';
import type { SlackInstallationRecord } from '#ports/store/store';
import type { SlackConnection } from '../connection.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { type CallSlack, createSlackApi } from '../slack-api/slack-api.ts';

const FIRST_MS = 60_000;
const EVERY_MS = 24 * 3_600_000;
const PAGE_SIZE = 100;

type LookOverDeps = Pick<SlackFaceDeps, 'installations' | 'findConnection' | 'onProblem'>;

/** Looks over the workspaces soon after the host has started and every day, until it stops. */
export async function keepLookingOver(deps: LookOverDeps, closing: AbortSignal): Promise<void> {
  const pause = (ms: number) => wait(ms, undefined, { ref: false, signal: closing }).catch(() => undefined);
  for (let pauseMs = FIRST_MS; !closing.aborted; pauseMs = EVERY_MS) {
    await pause(pauseMs);
    if (!closing.aborted) await lookOver(deps, closing).catch(deps.onProblem);
  }
}

/** Asks Slack which workspaces still have the app, and erases what is kept of the others: Slack reports a removal only a few
 *  times, and the host may have been off. Also erases what interrupted removals have left. */
export async function lookOver(deps: LookOverDeps, closing: AbortSignal): Promise<void> {
  await deps.installations.eraseLeft().catch(deps.onProblem);
  const connection = await deps.findConnection();
  if (connection === null) return;
  for (const installation of await listAll(deps)) {
    if (closing.aborted) return;
    await eraseIfRemoved(connection, installation, deps).catch(deps.onProblem);
  }
}

async function listAll({ installations }: LookOverDeps): Promise<SlackInstallationRecord[]> {
  const all: SlackInstallationRecord[] = [];
  for (let page = 0; ; page++) {
    const request = { scope: null, search: '', page, pageSize: PAGE_SIZE };
    const { items } = await installations.listInstallations(request);
    all.push(...items);
    if (items.length < PAGE_SIZE) return all;
  }
}

async function eraseIfRemoved(
  { apiUrl, findInstalled, erase }: SlackConnection,
  { id, kind, enterpriseId, installedAt }: SlackInstallationRecord,
  { onProblem }: LookOverDeps,
): Promise<void> {
  const isEnterpriseInstall = kind === 'organisation';
  const teamId = isEnterpriseInstall ? null : id;
  const source = { teamId, enterpriseId: isEnterpriseInstall ? id : enterpriseId, isEnterpriseInstall };
  const installed = await findInstalled(source);
  // A workspace without a token of its own shows that of its organisation.
  if (installed?.installation.id !== id) return;
  if (await isTokenGood(createSlackApi(apiUrl, onProblem).as(installed.botToken))) return;
  // A newer installation stays.
  await erase(id, installedAt);
}

/** What Slack says of the token of an app that was removed. `invalid_auth` is also said to a host whose address is not allowed,
 *  and must erase nothing. */
const REMOVED: ReadonlySet<unknown> = new Set(['account_inactive', 'token_revoked']);

/** Whether Slack still takes the token that these calls are made with; false where it says that the app was removed.
 *  Errors: those of the call, which leave it open. */
export async function isTokenGood(call: CallSlack): Promise<boolean> {
  try {
    await call('auth.test', {});
    return true;
  } catch (error) {
    if (error instanceof AppError && REMOVED.has(error.data.said)) return false;
    throw error;
  }
}
