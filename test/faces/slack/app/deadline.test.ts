import { afterEach, expect, test, vi } from 'vitest';
import { answerCommand } from '../../../../src/faces/slack/app/answer-command.ts';
import { createDeadline } from '../../../../src/faces/slack/app/deadline.ts';
import { createHandling } from '../../../../src/faces/slack/app/handling.ts';
import { createPersonWords } from '../../../../src/faces/slack/app/person-words.ts';
import { createTurns } from '../../../../src/faces/slack/app/turns.ts';
import { notice } from '../../../../src/faces/slack/blocks/notice.ts';
import type { SlackFaceDeps } from '../../../../src/faces/slack/deps.ts';
import type { CommandListener } from '../../../../src/faces/slack/listener.ts';
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

interface Silent {
  readonly deps?: Partial<SlackFaceDeps>;
  readonly findInstalled?: SlackFaceDeps['installations']['findInstalled'];
}

/** A command that came 24.5 s ago, while something is silent. */
async function askLate({ responseUrl, deps: real }: RunningSigned, silent: Silent) {
  const { findInstalled = real.installations.findInstalled } = silent;
  const handling = createHandling({
    deps: { ...real, ...silent.deps },
    listeners: [hanging],
    api: { as: () => never },
    personWords: createPersonWords(real.onProblem),
    turns: createTurns(real),
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
  const attempt = { kind: 'command', name: '/learn', text: 'docker' } as const;
  await answerCommand({ handling, deps: real, ack: async () => {} }, incoming, attempt);
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
    Array.from({ length: 3 }, () => 'That was not answered in time. Try again.'),
  );
  expect(said.map((args) => JSON.stringify(args).includes('try_again'))).toEqual([false, false, true]);
}, 20_000);

test('preferences that are not read in time cost nobody their answer', async () => {
  const listener: CommandListener = {
    ...hanging,
    handle: async ({ words }) => ({ kind: 'message', message: notice((await words()).t('slack.done')) }),
  };
  running = await startSigned({
    listeners: [listener],
    deps: ({ people }) => ({ people: { ...people, getPreferences: never } }),
  });
  expect((await running.command('docker')).text).toContain('Done.');
});
