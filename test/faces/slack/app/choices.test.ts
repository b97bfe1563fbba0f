import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Listener } from '../../../../src/faces/slack/listener.ts';
import { echo, type RunningSigned, startSigned } from './start-signed.ts';

let running: RunningSigned;
afterEach(() => running.close());

const option = { text: { type: 'plain_text', text: 'Docker' }, value: 'docker' } as const;
const ask = (userId = 'UADA') =>
  running.interact({
    type: 'block_suggestion',
    action_id: 'search_skill',
    value: 'do',
    user: { id: userId },
  });
const options = (handle: () => Promise<unknown>): Listener =>
  ({ kind: 'options', actionId: 'search_skill', handle }) as Listener;

test('are given, grouped or not', async () => {
  const group = { label: { type: 'plain_text', text: 'Tools' }, options: [option] };
  running = await startSigned({ listeners: [options(async () => [option])] });
  expect(JSON.parse((await ask()).text)).toEqual({ options: [option] });
  await running.close();
  running = await startSigned({ listeners: [options(async () => [group])] });
  expect(JSON.parse((await ask()).text)).toEqual({ option_groups: [group] });
});

test('are none where they are late or fail', async () => {
  running = await startSigned({
    // Longer than the test may take.
    listeners: [options(() => wait(60_000, [option], { ref: false }))],
  });
  const { text } = await ask();
  expect(JSON.parse(text)).toEqual({ options: [] });
  await running.close();
  running = await startSigned({ listeners: [options(() => Promise.reject(new Error('no')))] });
  expect(JSON.parse((await ask()).text)).toEqual({ options: [] });
  expect(running.services.problems.map(String)).toEqual(['Error: no']);
});

test('are looked up few at a time for a workspace', async () => {
  let atOnce = 0;
  let most = 0;
  const slow = options(async () => {
    most = Math.max(most, ++atOnce);
    await wait(500);
    atOnce--;
    return [option];
  });
  running = await startSigned({ listeners: [slow] });
  await Promise.all(Array.from({ length: 120 }, (_, at) => ask(`U${at}`)));
  expect(most).toBe(50);
});

test('are none for who types more than 240 times a minute, who can still ask', async () => {
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
