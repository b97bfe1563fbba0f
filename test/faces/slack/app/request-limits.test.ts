import { afterEach, expect, test, vi } from 'vitest';
import { answerCommand, answerInWindow } from '../../../../src/faces/slack/app/answers.ts';
import { createAnswerDeps } from '../../../../src/faces/slack/app/call-listener.ts';
import { createPersonWords } from '../../../../src/faces/slack/app/person-words.ts';
import { createRequestDeadline, createRequestLimits } from '../../../../src/faces/slack/app/request-limits.ts';
import { type ListenerCall, readSlackRequest } from '../../../../src/faces/slack/app/slack-request.ts';
import { noticeMessage } from '../../../../src/faces/slack/blocks/messages.ts';
import type { SlackFaceDeps } from '../../../../src/faces/slack/deps.ts';
import type { ListenerOf } from '../../../../src/faces/slack/listener.ts';
import { type RunningSigned, startSigned, TEAM } from './start-signed.ts';

let running: RunningSigned | null = null;
afterEach(async () => {
  vi.useRealTimers();
  await running?.close();
  running = null;
});

const never = () => new Promise<never>(() => {});

test('gives up work 25 s after the request arrived', async () => {
  vi.useFakeTimers();
  const { within } = createRequestDeadline();
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

const hanging: ListenerOf<'command'> = { kind: 'command', name: '/learn', handle: never };
const shortcut: ListenerOf<'shortcut'> = { kind: 'shortcut', name: 'find_learning', handle: never };

interface Silent {
  readonly deps?: Partial<SlackFaceDeps>;
  readonly findInstalled?: SlackFaceDeps['slackInstallations']['findInstalled'];
}

/** A request that came 24.5 s ago, while something is silent. */
function receiveLate(
  { responseUrl, deps: real }: RunningSigned,
  call: ListenerCall,
  { findInstalled = real.slackInstallations.findInstalled, deps }: Silent,
) {
  const limits = createRequestLimits(real);
  const answer = createAnswerDeps(
    { ...real, ...deps, listeners: [hanging, shortcut], personWords: createPersonWords(real), limits },
    { as: () => never },
  );
  const getInstallation = async () =>
    (await findInstalled({ teamId: TEAM, enterpriseId: null, isEnterpriseInstall: false }))!;
  const body = { user_id: 'UADA', channel_id: 'C1', response_url: responseUrl };
  const request = readSlackRequest(body, { receivedAt: performance.now() - 24_500, getInstallation }, call);
  return { answer, request, limits };
}

async function askLate(running: RunningSigned, silent: Silent) {
  const call = { kind: 'command', name: '/learn', text: 'docker' } as const;
  const { answer, request } = receiveLate(running, call, silent);
  await answerCommand(answer, request, async () => {});
}

test('answers with a failure whatever hangs', async () => {
  const started = await startSigned();
  running = started;
  const { savedStates, people } = started.deps;
  await askLate(started, { findInstalled: never });
  await askLate(started, { deps: { savedStates: { ...savedStates, keep: never } } });
  await askLate(started, { deps: { people: { ...people, getPreferences: never } } });
  const answers = await started.callsOf('response', 3);
  expect(answers.map(({ text }) => text)).toEqual(
    Array.from({ length: 3 }, () => 'The answer took too long. Try again.'),
  );
  expect(answers.map((args) => JSON.stringify(args).includes('try_again'))).toEqual([false, false, true]);
});

test('answers a shortcut of an unknown person when it is late, and when the host stops', async () => {
  running = await startSigned();
  const call = { kind: 'shortcut', name: 'find_learning', source: null } as const;
  const { answer, request, limits } = receiveLate(running, call, { findInstalled: never });
  await answerInWindow(answer, request);
  const answering = answerInWindow(answer, { ...request, receivedAt: performance.now() - 1_500 });
  await running.callsOf('response', 1);
  limits.stop();
  await answering;
  const answers = await running.callsOf('response', 2);
  expect(answers.map(({ text }) => text)).toEqual([
    expect.stringContaining('took too long'),
    expect.stringContaining('restarting'),
  ]);
});

test('answers without preferences that are not read in time', async () => {
  const listener: ListenerOf<'command'> = {
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
