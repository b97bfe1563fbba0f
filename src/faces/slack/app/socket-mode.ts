import { setTimeout as wait } from 'node:timers/promises';
import type { SlackConnection } from '../deps.ts';
import {
  createBoltLogger,
  loadBolt,
  makeBoltClientOptions,
  rememberByConnection,
  toCredentialsKey,
} from '../slack-api/bolt.ts';
import { createSlackError, createSlackFailedError } from '../slack-api/slack-api.ts';
import { type BoltAppDeps, createBoltApp } from './bolt-app.ts';

/** How often it checks whether there is an app now, or another one. */
const CHECK_MS = 2_000;
const CONNECT_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

type SocketApp = Awaited<ReturnType<typeof createSocketApp>>;

/** Lets Slack send its requests over a socket, for hosts that it cannot reach: as soon as Slack is
 *  set up, and again after changes and lost connections. Failures are logged.
 *  @returns when the host stops and the connection has ended */
export async function keepSocket(appToken: string, deps: BoltAppDeps): Promise<void> {
  const { closing, onProblem } = deps;
  const appOf = rememberByConnection((connection) => createSocketApp(appToken, connection, deps));
  let failures = 0;
  while (!closing.aborted) {
    try {
      const connection = await waitForConnection(deps);
      if (connection === null) return;
      const socketApp = await appOf(connection);
      const ended = await connectSocket(socketApp, deps);
      failures = 0;
      await waitWhileUnchanged(connection, deps, AbortSignal.any([ended, closing]));
      await stopSocket(socketApp, deps);
    } catch (error) {
      if (!closing.aborted) onProblem(error);
      failures++;
    }
    await pauseUntilEnded(Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), closing);
  }
}

/** Waits until Slack is set up, and reports once that it is not. @returns null if the host stops */
async function waitForConnection({ findConnection, closing, onProblem }: BoltAppDeps): Promise<SlackConnection | null> {
  for (let isReported = false; !closing.aborted; isReported = true) {
    const connection = await findConnection();
    if (connection !== null) return connection;
    if (!isReported) onProblem(createSlackError('SLACK_OFF'));
    await pauseUntilEnded(CHECK_MS, closing);
  }
  return null;
}

async function createSocketApp(appToken: string, connection: SlackConnection, deps: BoltAppDeps) {
  const { onProblem } = deps;
  const bolt = await loadBolt();
  const receiver = new bolt.SocketModeReceiver({
    appToken,
    // Bolt would end the whole host where reconnecting fails.
    autoReconnectEnabled: false,
    logger: createBoltLogger(onProblem),
    installerOptions: { clientOptions: makeBoltClientOptions(connection.apiUrl, onProblem) },
  });
  return { app: await createBoltApp(connection, receiver, deps), client: receiver.client };
}

/** @returns a signal that is aborted when the connection has ended */
async function connectSocket(socketApp: SocketApp, deps: BoltAppDeps): Promise<AbortSignal> {
  const ended = new AbortController();
  const started = socketApp.app.start();
  const late = pauseUntilEnded(CONNECT_MS, deps.closing).then(() => {
    throw createSlackFailedError(new Error('Socket Mode did not begin in time.'));
  });
  try {
    await Promise.race([started, late]);
    socketApp.client.once('disconnected', () => ended.abort());
    return ended.signal;
  } catch (error) {
    // If it begins after all, it is stopped: nobody waits for it any more.
    started.then(() => stopSocket(socketApp, deps)).catch(() => undefined);
    await stopSocket(socketApp, deps);
    throw error;
  }
}

/** Waits until the host has another app or none, or the socket has ended. */
async function waitWhileUnchanged(connection: SlackConnection, { findConnection }: BoltAppDeps, ended: AbortSignal) {
  const isSame = async () => {
    const current = await findConnection().catch(() => connection);
    return current !== null && toCredentialsKey(current) === toCredentialsKey(connection);
  };
  while (!ended.aborted && (await isSame())) await pauseUntilEnded(CHECK_MS, ended);
}

async function stopSocket({ app }: SocketApp, { onProblem }: BoltAppDeps): Promise<void> {
  await app.stop()?.catch(onProblem);
}

const pauseUntilEnded = (ms: number, ended: AbortSignal): Promise<void> =>
  wait(ms, undefined, { ref: false, signal: ended }).catch(() => undefined);
