import { setTimeout as wait } from 'node:timers/promises';
import type { EnvelopedEvent, types } from '@slack/bolt';
import { AppError } from '#errors';
import type { PageRequest, SlackInstallationRecord } from '#ports/store/store';
import { listEveryItem } from '#services/host/every-item';
import type { SlackConnection, SlackFaceDeps } from '../deps.ts';
import { type CallSlack, createSlackApi } from '../slack-api/slack-api.ts';

interface EraseDeps extends Pick<SlackConnection, 'erase'>, Pick<SlackFaceDeps, 'clock' | 'onProblem'> {
  readonly closing: AbortSignal;
}

/** Erases a place. Slack sends this event and `tokens_revoked` in any order, and repeatedly. */
export async function removeUninstalled(deps: EraseDeps, body: EnvelopedEvent): Promise<void> {
  const id = findRemovedId(body);
  if (id === null) return;
  // Slack cuts the time to seconds, and an installation of the same second must go, too.
  const removedAt = body.event_time === undefined ? deps.clock.now() : new Date(body.event_time * 1_000 + 999);
  await retryRemoval(() => deps.erase(id, removedAt), deps);
}

/** Erases a place whose app token is revoked: the app is gone. Tokens of people do not matter. */
export async function removeRevoked(deps: EraseDeps, body: EnvelopedEvent<types.TokensRevokedEvent>): Promise<void> {
  if ((body.event.tokens.bot ?? []).length > 0) await removeUninstalled(deps, body);
}

function findRemovedId(body: EnvelopedEvent): string | null {
  const { team_id, enterprise_id, is_enterprise_install } = body.authorizations?.[0] ?? body;
  const isOrganisation = is_enterprise_install ?? body.is_enterprise_install ?? false;
  return (isOrganisation ? (enterprise_id ?? body.enterprise_id) : (team_id ?? body.team_id)) ?? null;
}

/** Slack does not send the event again. What fails for longer is left to `eraseAfterRemoval`. */
const PAUSES_MS = [0, 1_000, 5_000, 15_000, 60_000, 120_000, 300_000, 600_000];

/** Erases, and tries again after pauses. When the host stops, the pause ends with one more try. */
async function retryRemoval(erase: () => Promise<unknown>, { closing, onProblem }: EraseDeps): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    await wait(pauseMs, undefined, { ref: false, signal: closing }).catch(() => undefined);
    try {
      return void (await erase());
    } catch (error) {
      onProblem(error);
    }
    if (closing.aborted) return;
  }
}

const FIRST_MS = 60_000;
const EVERY_MS = 24 * 3_600_000;

type RemovedDeps = Pick<SlackFaceDeps, 'slackInstallations' | 'findConnection' | 'onProblem'>;

/** Runs `eraseAfterRemoval` soon after the host has started and then every day, until it stops. */
export async function keepRetryingRemovals(deps: RemovedDeps, closing: AbortSignal): Promise<void> {
  const pause = (ms: number) => wait(ms, undefined, { ref: false, signal: closing }).catch(() => undefined);
  for (let pauseMs = FIRST_MS; !closing.aborted; pauseMs = EVERY_MS) {
    await pause(pauseMs);
    if (!closing.aborted) await eraseAfterRemoval(deps, closing).catch(deps.onProblem);
  }
}

/** Erases the data of workspaces without the app, as Slack reports a removal only a few times. */
export async function eraseAfterRemoval(deps: RemovedDeps, closing: AbortSignal): Promise<void> {
  await deps.slackInstallations.eraseLeftovers().catch(deps.onProblem);
  const connection = await deps.findConnection();
  if (connection === null) return;
  // Erasing would move the next installations to another page, so all are read first.
  const readPage = (page: PageRequest) =>
    deps.slackInstallations.listInstallations({ scope: null, search: '', ...page });
  for (const installation of await listEveryItem(readPage)) {
    if (closing.aborted) return;
    await eraseIfRemovedBySlack(connection, installation, deps).catch(deps.onProblem);
  }
}

async function eraseIfRemovedBySlack(
  { apiUrl, findInstalled, erase }: SlackConnection,
  { id, kind, enterpriseId, installedAt }: SlackInstallationRecord,
  { onProblem }: RemovedDeps,
): Promise<void> {
  const isEnterpriseInstall = kind === 'organisation';
  const teamId = isEnterpriseInstall ? null : id;
  const source = { teamId, enterpriseId: isEnterpriseInstall ? id : enterpriseId, isEnterpriseInstall };
  const installed = await findInstalled(source);
  // For a workspace without a token the installation of its organisation is found.
  if (installed?.installation.id !== id) return;
  if (await isTokenGood(createSlackApi(apiUrl, onProblem).as(installed.botToken))) return;
  // A newer installation stays.
  await erase(id, installedAt);
}

/** Slack's errors for a removed app, without `invalid_auth`, which refused hosts get, too. */
const REMOVED: ReadonlySet<unknown> = new Set(['account_inactive', 'token_revoked']);

/** Whether Slack still takes the token; false if the app was removed. Errors: those of the call. */
export async function isTokenGood(call: CallSlack): Promise<boolean> {
  try {
    await call('auth.test', {});
    return true;
  } catch (error) {
    if (error instanceof AppError && REMOVED.has(error.data.slackError)) return false;
    throw error;
  }
}
