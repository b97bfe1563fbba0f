import { afterEach, expect, test } from 'vitest';
import { type RunningSigned, type SlackAnswer, startSigned, TEAM } from './start-signed.ts';
import { startSocket } from './start-socket.ts';

let running: RunningSigned;
afterEach(() => running.close());

const never = () => new Promise<never>(() => undefined);
const opens = (url: string): SlackAnswer => ({ body: { ok: true, url } });
const opened = () => running.calls.filter(({ method }) => method === 'apps.connections.open');

test('answers commands over a socket if there is an app token', async () => {
  const socket = await startSocket();
  running = await startSigned({
    deps: () => ({ appToken: 'xapp-1-of-the-tests' }),
    answer: ({ method }) => (method === 'apps.connections.open' ? { body: { ok: true, url: socket.url } } : undefined),
  });
  await expect.poll(() => socket.isConnected()).toBe(true);
  expect(running.calls[0]).toMatchObject({ method: 'apps.connections.open', token: 'xapp-1-of-the-tests' });
  const payload = {
    command: '/learn',
    text: 'docker',
    team_id: TEAM,
    user_id: 'UADA',
    channel_id: 'C1',
    trigger_id: 'by-socket',
    response_url: running.responseUrl,
  };
  socket.send({ type: 'slash_commands', envelope_id: 'E1', accepts_response_payload: true, payload });
  await expect.poll(() => socket.heard).toMatchObject([{ envelope_id: 'E1', payload: { text: 'you said docker' } }]);
  await socket.close();
});

test('goes on and reports why if Slack is not set up or does not answer', async () => {
  running = await startSigned({ deps: () => ({ appToken: 'xapp-1', findConnection: async () => null }) });
  await expect.poll(() => running.services.problems).toMatchObject([{ code: 'SLACK_OFF' }]);
  await running.close();
  running = await startSigned({
    deps: () => ({ appToken: 'xapp-1' }),
    answer: () => ({ body: { ok: false, error: 'invalid_auth' } }),
  });
  await expect.poll(() => running.services.problems.join()).toContain('invalid_auth');
  expect((await running.command('docker')).text).toContain('you said docker');
});

test('connects again after a failed start', async () => {
  const socket = await startSocket();
  running = await startSigned({
    deps: () => ({ appToken: 'xapp-1' }),
    answer: () => (opened().length === 1 ? { status: 503, body: {} } : opens(socket.url)),
  });
  await expect.poll(() => socket.isConnected()).toBe(true);
  expect(opened()).toHaveLength(2);
  await socket.close();
});

test('connects again when the connection ends, until the host stops', async () => {
  const socket = await startSocket();
  running = await startSigned({
    deps: () => ({ appToken: 'xapp-1' }),
    answer: () => opens(socket.url),
  });
  await expect.poll(() => socket.isConnected()).toBe(true);
  socket.send({ type: 'disconnect', reason: 'refresh_requested' });
  await expect.poll(opened).toHaveLength(2);
  await expect.poll(() => socket.isConnected()).toBe(true);
  await running.close();
  await expect.poll(() => socket.isConnected()).toBe(false);
  await socket.close();
});

test('connects when Slack is set up, again when that changes, and disconnects when Slack is off', async () => {
  const socket = await startSocket();
  let secret: string | null = null;
  running = await startSigned({
    deps: (real) => ({
      appToken: 'xapp-1',
      findConnection: async () => {
        const connection = await real.findConnection();
        return secret === null ? null : { ...connection!, signingSecret: secret };
      },
    }),
    answer: () => opens(socket.url),
  });
  await expect.poll(() => running.services.problems).toMatchObject([{ code: 'SLACK_OFF' }]);
  secret = 'first-signing-secret';
  await expect.poll(() => socket.isConnected()).toBe(true);
  secret = 'second-signing-secret';
  await expect.poll(opened).toHaveLength(2);
  secret = null;
  await expect.poll(() => socket.isConnected()).toBe(false);
  await socket.close();
});

test('does not wait for a connection when the host stops', async () => {
  running = await startSigned({
    deps: () => ({ appToken: 'xapp-1' }),
    answer: () => ({ after: new Promise(() => {}) }),
  });
  await expect.poll(opened).toHaveLength(1);
  await running.close();
  running = await startSigned({ deps: () => ({ appToken: 'xapp-1', findConnection: never }) });
  await running.close();
});
