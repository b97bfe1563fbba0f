import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSlackApi } from '../../../../src/faces/slack/slack-api/slack-api.ts';
import { type RunningSigned, startSigned } from '../app/start-signed.ts';

let running: RunningSigned;
/** When each call came, by `performance.now()`. */
let times: Record<string, number[]>;
let refused: number;
beforeEach(async () => {
  times = {};
  refused = 3;
  running = await startSigned({
    listeners: [],
    answer: ({ method, token }) => {
      const name = `${method} ${token}`;
      const known = [...(times[name] ?? []), performance.now()];
      times[name] = known;
      if (!['chat.postMessage', 'views.push'].includes(method) || token !== 'xoxb-1' || known.length > refused)
        return undefined;
      return { status: 429, headers: { 'Retry-After': method === 'views.push' ? '2' : '1' }, body: {} };
    },
  });
});
afterEach(() => running.close());

test('waits while Slack holds back a method of a workspace, then calls one after another', async () => {
  const { apiUrl } = (await running.deps.findConnection())!;
  const api = createSlackApi(apiUrl, () => undefined);
  const post = () => api.as('xoxb-1')('chat.postMessage', {});
  const first = [post(), post(), post()];
  await expect.poll(() => times['chat.postMessage xoxb-1']).toHaveLength(3);
  // By its answer, those of the three have come as well.
  await api.as('xoxb-3')('views.open', {});
  const later = [post(), post(), post(), post(), post()];
  await api.as('xoxb-2')('chat.postMessage', {});
  await api.as('xoxb-1')('views.open', {});
  await Promise.all([...first, ...later]);
  const came = times['chat.postMessage xoxb-1']!;
  expect(came).toHaveLength(11);
  expect(came[3]! - came[0]!).toBeGreaterThan(950);
  expect(came[10]! - came[3]!).toBeGreaterThan(500);
  for (const other of ['chat.postMessage xoxb-2', 'views.open xoxb-1']) expect(times[other]![0]).toBeLessThan(came[3]!);
});

test('fails without a call if the wait would be too long', async () => {
  refused = Number.POSITIVE_INFINITY;
  const { apiUrl } = (await running.deps.findConnection())!;
  const post = () => createSlackApi(apiUrl, () => undefined).as('xoxb-1')('chat.postMessage', {});
  await expect(post()).rejects.toMatchObject({ code: 'SLACK_THROTTLED', retryAfterSeconds: 1 });
  expect(times['chat.postMessage xoxb-1']).toHaveLength(2);
});

test('does not wait for a window that cannot be opened in time', async () => {
  const { apiUrl } = (await running.deps.findConnection())!;
  const push = () => createSlackApi(apiUrl, () => undefined).as('xoxb-1')('views.push', { trigger_id: '1.2' });
  await expect(push()).rejects.toMatchObject({ code: 'SLACK_THROTTLED', retryAfterSeconds: 2 });
  expect(times['views.push xoxb-1']).toHaveLength(1);
});
