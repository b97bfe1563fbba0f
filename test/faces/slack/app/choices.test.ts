import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Listener } from '../../../../src/faces/slack/listener.ts';
import { createHold, echo, holdTime, passTime, pollHeld, type RunningSigned, startSigned } from './start-signed.ts';

/** What the face gives a look-up before it acknowledges it with no choices. */
const TYPING_MS = 1_500;

let running: RunningSigned;
beforeEach(holdTime);
afterEach(async () => {
  vi.useRealTimers();
  await running.close();
});

const option = { text: { type: 'plain_text', text: 'Docker' }, value: 'docker' } as const;
const ask = (userId = 'UADA') =>
  running.interact({
    type: 'block_suggestion',
    action_id: 'search_skill',
    value: 'do',
    user: { id: userId },
  });
const options = (handle: () => Promise<unknown>): Listener =>
  ({ kind: 'options', name: 'search_skill', handle }) as Listener;

test('answers with options, grouped or not', async () => {
  const group = { label: { type: 'plain_text', text: 'Tools' }, options: [option] };
  running = await startSigned({ listeners: [options(async () => [option])] });
  expect(JSON.parse((await ask()).text)).toEqual({ options: [option] });
  await running.close();
  running = await startSigned({ listeners: [options(async () => [group])] });
  expect(JSON.parse((await ask()).text)).toEqual({ option_groups: [group] });
});

test('answers with no options if they are late or fail', async () => {
  const slow = createHold();
  running = await startSigned({ listeners: [options(() => slow.wait().then(() => [option]))] });
  const asked = ask();
  await slow.begun;
  await passTime(TYPING_MS);
  expect(JSON.parse((await asked).text)).toEqual({ options: [] });
  slow.release();
  await running.close();
  running = await startSigned({ listeners: [options(() => Promise.reject(new Error('no')))] });
  expect(JSON.parse((await ask()).text)).toEqual({ options: [] });
  expect(running.services.problems.map(String)).toEqual(['Error: no']);
});

test('looks up 50 at a time for a workspace', async () => {
  let [arrived, atOnce, most] = [0, 0, 0];
  const held = createHold();
  const slow = options(async () => {
    most = Math.max(most, ++atOnce);
    await held.wait();
    atOnce--;
    return [option];
  });
  running = await startSigned({
    listeners: [slow],
    deps: (real) => ({
      listConnections: async () => [
        {
          ...(await real.findConnection())!,
          async findInstalled(source) {
            const installation = await real.slackInstallations.findInstalled(source);
            arrived++;
            return installation;
          },
        },
      ],
    }),
  });
  const asked = Promise.all(Array.from({ length: 120 }, (_, at) => ask(`U${at}`)));
  await pollHeld(() => [arrived, atOnce]).toEqual([120, 50]);
  held.release();
  const answers = await asked;
  expect(running.services.problems).toEqual([]);
  expect(answers.filter(({ text }) => text.includes('Docker'))).toHaveLength(120);
  expect(most).toBe(50);
});

test('answers with no options after 240 look-ups of a person in a minute, but still answers commands', async () => {
  running = await startSigned({ listeners: [options(async () => [option]), echo] });
  const given: string[] = [];
  for (let round = 0; round < 5; round++) {
    const texts = await Promise.all(Array.from({ length: 50 }, () => ask()));
    given.push(...texts.map(({ text }) => text));
  }
  expect(given.filter((text) => text.includes('Docker'))).toHaveLength(240);
  expect(JSON.parse((await ask()).text)).toEqual({ options: [] });
  expect(running.services.problems).toEqual([]);
  expect((await running.command('docker')).text).toContain('you said docker');
});
