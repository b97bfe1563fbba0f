import { setTimeout as wait } from 'node:timers/promises';
import type { SlackInstallationRecord } from '../../../ports/store/store.ts';
import type { SlackConnection, SlackFaceDeps } from '../deps.ts';
import { createSlackApi } from './api-calls.ts';
import { isTokenGood } from './token-good.ts';

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

/** Asks Slack which workspaces still have the app, and erases what is kept of the others: Slack says only a few times that the
 *  app was removed, and the host may have been off then. Takes as well what interrupted removals have left. */
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
  // What was installed anew meanwhile stays.
  await erase(id, installedAt);
}
