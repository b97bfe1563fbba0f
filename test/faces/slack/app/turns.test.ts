import { afterEach, expect, test, vi } from 'vitest';
import { answerCommand, answerInWindow } from '../../../../src/faces/slack/app/answer.ts';
import { createHandling } from '../../../../src/faces/slack/app/handling.ts';
import { createPersonWords } from '../../../../src/faces/slack/app/person-words.ts';
import { createDeadline, createTurns } from '../../../../src/faces/slack/app/turns.ts';
import { noticeMessage } from '../../../../src/faces/slack/blocks/messages.ts';
import type { SlackFaceDeps } from '../../../../src/faces/slack/deps.ts';
import type { CommandListener, ShortcutListener } from '../../../../src/faces/slack/listener.ts';
import { type RunningSigned, startSigned, TEAM } from './start-signed.ts';

let running: RunningSigned | null = null;
afterEach(async () => {
  vi.useRealTimers();
  await running?.close();
  running = null;
});

const never = () => new Promise<never>(() => {});

test('work ends in time, or is given up 25 s after the request came', async () => {
  vi.useFakeTimers();
  const { within } = createDeadline();
  const received = { receivedAt: performance.now() };
  expect(await within(received, async () => 'at once')).toBe('at once');
  const late = within(received, never).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(24_900);
  expect(await Promise.race([late, 'waiting'])).toBe('waiting');
  await vi.advanceTimersByTimeAsync(200);
  expect(await late).toMatchObject({ code: 'SLACK_LATE' });
  const begun = vi.fn(never);
  await expect(within(received, begun)).rejects.toMatchObject({ code: 'SLACK_LATE' });
  expect(begun).not.toHaveBeenCalled();
});

const hanging: CommandListener = { kind: 'command', name: '/learn', handle: never };
const shortcut: ShortcutListener = { kind: 'shortcut', callbackId: 'find_learning', handle: never };

interface Silent {
  readonly deps?: Partial<SlackFaceDeps>;
  readonly findInstalled?: SlackFaceDeps['installations']['findInstalled'];
}

/** What came 24.5 s ago, while something is silent. */
function receiveLate({ responseUrl, deps: real }: RunningSigned, silent: Silent) {
  const { findInstalled = real.installations.findInstalled } = silent;
  const turns = createTurns(real);
  const handling = createHandling({
    deps: { ...real, ...silent.deps },
    listeners: [hanging, shortcut],
    api: { as: () => never },
    personWords: createPersonWords(real),
    turns,
  });
  const incoming = {
    receivedAt: performance.now() - 24_500,
    userId: 'UADA',
    channelId: 'C1',
    triggerId: null,
    responseUrl,
    deliveryId: null,
    view: null,
    admit: async () =>
      (await findInstalled({ teamId: TEAM, enterpriseId: null, isEnterpriseInstall: false }))!,
  };
  return { handling, deps: real, incoming, turns };
}

async function askLate(running: RunningSigned, silent: Silent) {
  const { incoming, ...parts } = receiveLate(running, silent);
  const attempt = { kind: 'command', name: '/learn', text: 'docker' } as const;
  await answerCommand({ ...parts, ack: async () => {} }, incoming, attempt);
}

test('who asks in vain is told so, whatever it is that hangs', async () => {
  const started = await startSigned();
  running = started;
  const { keptStates, people } = started.deps;
  await askLate(started, { findInstalled: never });
  await askLate(started, { deps: { keptStates: { ...keptStates, keep: never } } });
  await askLate(started, { deps: { people: { ...people, getPreferences: never } } });
  const said = await started.callsOf('response', 3);
  expect(said.map(({ text }) => text)).toEqual(
    Array.from({ length: 3 }, () => 'The answer took too long. Try again.'),
  );
  expect(said.map((args) => JSON.stringify(args).includes('try_again'))).toEqual([false, false, true]);
});

test('where only a window answers, that waits for nobody who is not known: neither to the end, nor when the host stops', async () => {
  running = await startSigned();
  const attempt = { kind: 'shortcut', name: 'find_learning', source: null } as const;
  const { incoming, turns, ...parts } = receiveLate(running, { findInstalled: never });
  await answerInWindow(parts, incoming, attempt);
  const asked = answerInWindow(parts, { ...incoming, receivedAt: performance.now() - 1_500 }, attempt);
  await running.callsOf('response', 1);
  turns.stop();
  await asked;
  const said = await running.callsOf('response', 2);
  expect(said.map(({ text }) => text)).toEqual([
    expect.stringContaining('The answer took too long.'),
    expect.stringContaining('restarting'),
  ]);
});

test('preferences that are not read in time cost nobody their answer', async () => {
  const listener: CommandListener = {
    ...hanging,
    handle: async ({ words }) => ({
      kind: 'message',
      message: noticeMessage((await words()).t('slack.done')),
    }),
  };
  running = await startSigned({
    listeners: [listener],
    deps: ({ people }) => ({ people: { ...people, getPreferences: never } }),
  });
  expect((await running.command('docker')).text).toContain('Done.');
});
