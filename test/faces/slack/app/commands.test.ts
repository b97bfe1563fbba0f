import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import type { Listener, ListenerOf } from '../../../../src/faces/slack/listener.ts';
import {
  anyInstallation,
  createHold,
  holdTime,
  passTime,
  plainMessage,
  pollHeld,
  type RunningSigned,
  startSigned,
} from './start-signed.ts';

/** What the face gives a command before it acknowledges it without its answer. */
const READY_MS = 1_800;

let running: RunningSigned;
beforeEach(holdTime);
afterEach(async () => {
  vi.useRealTimers();
  await running.close();
});

const command = (handle: ListenerOf<'command'>['handle']): ListenerOf<'command'> => ({
  kind: 'command',
  name: '/learn',
  handle,
});

const heldBack = (wait: () => Promise<void>) =>
  command(async (_context, text) => {
    await wait();
    return { kind: 'message', message: plainMessage(`found ${text}`) };
  });

/** What was answered through the response address. */
const responses = () => running.calls.filter(({ method }) => method === 'response').map(({ args }) => args);
const firstResponse = () => pollHeld(() => responses().length).toBeGreaterThan(0);

test('acknowledges a command with its answer if that is ready in time', async () => {
  running = await startSigned();
  const { status, text } = await running.command('docker');
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual({
    response_type: 'ephemeral',
    text: 'you said docker',
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'you said docker' } }],
    unfurl_links: false,
    unfurl_media: false,
  });
  expect(running.calls).toEqual([]);
  expect(running.services.problems).toEqual([]);
});

test('acknowledges a late command first, and answers when it is ready', async () => {
  const search = createHold();
  running = await startSigned({ listeners: [heldBack(search.wait)] });
  const acknowledged = running.command('docker');
  await search.begun;
  await passTime(READY_MS);
  const { status, text } = await acknowledged;
  expect([status, text]).toEqual([200, '']);
  search.release();
  await firstResponse();
  expect(responses()).toEqual([
    {
      response_type: 'ephemeral',
      replace_original: false,
      ...plainMessage('found docker'),
      unfurl_links: false,
      unfurl_media: false,
    },
  ]);
});

test('acknowledges in time if the installation is found late', async () => {
  const store = createHold();
  running = await startSigned({
    deps: (real) => ({
      listConnections: async () => [
        {
          ...(await real.findConnection())!,
          findInstalled: async (source) => {
            await store.wait();
            return real.slackInstallations.findInstalled(source);
          },
        },
      ],
    }),
  });
  const acknowledged = running.command('docker');
  await store.begun;
  await passTime(READY_MS);
  expect((await acknowledged).status).toBe(200);
  store.release();
  await firstResponse();
  expect(responses()).toMatchObject([{ text: 'you said docker' }]);
});

test('answers a repeated delivery once', async () => {
  let asked = 0;
  const counting = command(async () => {
    asked++;
    return { kind: 'message', message: plainMessage('once') };
  });
  running = await startSigned({ listeners: [counting] });
  const again = { trigger_id: 'the-same' };
  const answers = await Promise.all([running.command('a', again), running.command('a', again)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.filter(({ text }) => text.includes('once'))).toHaveLength(1);
  expect(asked).toBe(1);
});

test('counts commands for the tenant', async () => {
  const counted: unknown[] = [];
  running = await startSigned({ deps: () => ({ usage: { count: (...given) => counted.push(given) } }) });
  await running.command('docker');
  expect(counted).toEqual([['default', 'slack-commands']]);
});

describe('a failure', () => {
  test('of the store is not blamed on the search', async () => {
    const failing = command(async () => {
      throw new AppError('STORE_UNAVAILABLE', 'The file is locked.');
    });
    running = await startSigned({ listeners: [failing] });
    const { text } = JSON.parse((await running.command('docker')).text);
    expect(text).toBe('Skilldock cannot reach its database right now. Try again in a few minutes.');
  });

  test('has words, a reference and a button to try again', async () => {
    let isBroken = true;
    const fragile = command(async (_context, text) => {
      if (isBroken) throw new Error('secret detail of the host');
      return { kind: 'message', message: plainMessage(`found ${text}`) };
    });
    running = await startSigned({ listeners: [fragile] });
    const { text } = await running.command('docker');
    expect(text).not.toContain('secret detail');
    const said = JSON.parse(text);
    expect(said.text).toContain('went wrong on our side');
    const [{ reference, listener, error }] = running.failures as [(typeof running.failures)[0]];
    expect(text).toContain(reference);
    expect([listener, String(error)]).toEqual(['/learn', 'Error: secret detail of the host']);
    const button = said.blocks[1].elements[0];
    expect(button).toMatchObject({ action_id: 'try_again', value: expect.stringMatching(/^[\w-]{16}$/) });
    isBroken = false;
    await running.interact({
      response_url: running.responseUrl,
      actions: [{ type: 'button', ...button, block_id: 'b' }],
    });
    await firstResponse();
    expect(responses()).toMatchObject([{ text: 'found docker', replace_original: true }]);
  });

  test('of the second try replaces the first, with another reference', async () => {
    running = await startSigned({ listeners: [command(() => Promise.reject(new Error('no')))] });
    const button = JSON.parse((await running.command('docker')).text).blocks[1].elements[0];
    await running.interact({ response_url: running.responseUrl, actions: [{ ...button, block_id: 'b' }] });
    await firstResponse();
    // Not through the attempt in vain: however often, the same is asked.
    expect(JSON.stringify(responses())).toContain(`"value":"${button.value}"`);
    expect(responses()).toMatchObject([
      { replace_original: true, text: expect.stringContaining('went wrong on our side') },
    ]);
    expect(new Set(running.failures.map(({ reference }) => reference)).size).toBe(2);
  });

  test('of an expired button says so, without a button', async () => {
    running = await startSigned();
    await running.interact({
      response_url: running.responseUrl,
      actions: [{ type: 'button', action_id: 'try_again', value: 'abcdefghijklmnop', block_id: 'b' }],
    });
    await firstResponse();
    expect(responses()[0]).toMatchObject({ text: expect.stringContaining('has expired') });
    expect(JSON.stringify(responses())).not.toContain('try_again');
  });

  test('has words by its code, and values in them', async () => {
    const error = new AppError('UPSTREAM_THROTTLED', 'internal words', { retryAfterSeconds: 7 });
    running = await startSigned({ listeners: [command(() => Promise.reject(error))] });
    const { text } = await running.command('docker');
    expect(text).toContain('in about 7 seconds');
    expect(text).not.toContain('internal words');
  });

  test('is in the language that the person has chosen in Slack, which is asked for once', async () => {
    running = await startSigned({
      listeners: [command(() => Promise.reject(new Error('no')))],
      answer: ({ method }) => (method === 'users.info' ? { body: { ok: true, user: { locale: 'fr-FR' } } } : undefined),
    });
    for (const text of ['a', 'b']) expect((await running.command(text)).text).toContain('de notre côté');
    expect(running.calls).toMatchObject([
      { method: 'users.info', token: 'xoxb-of-acme', args: { user: 'UADA', include_locale: 'true' } },
    ]);
  });

  test('says that the app is not installed', async () => {
    running = await startSigned();
    const { status, text } = await running.command('docker', { team_id: 'T0OTHER' });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringContaining('not installed in this workspace'),
    });
    expect(running.calls).toEqual([]);
  });
});

describe('limits', () => {
  test('allow a person 60 requests a minute, and the others of the workspace go on', async () => {
    const written: string[] = [];
    running = await startSigned({
      deps: ({ savedStates }) => ({
        savedStates: {
          ...savedStates,
          keep(...given) {
            written.push('kept');
            return savedStates.keep(...given);
          },
          claim(...given) {
            written.push('claimed');
            return savedStates.claim(...given);
          },
        },
      }),
    });
    const mine = await Promise.all(Array.from({ length: 65 }, (_, at) => running.command(String(at))));
    expect(mine.every(({ status }) => status === 200)).toBe(true);
    // A busy machine answers some of them later.
    const later = mine.filter(({ text }) => text === '').length;
    if (later > 0) await running.callsOf('response', later);
    const said = [...mine.map(({ text }) => text), ...responses().map((response) => JSON.stringify(response))];
    expect(said.filter((text) => text.includes('you said'))).toHaveLength(60);
    const refused = said.filter((text) => text.includes('Skilldock is busy'));
    expect(refused).toHaveLength(5);
    expect((await running.command('hello', { user_id: 'UBENOIT' })).text).toContain('you said hello');
    // What is refused is not written down, and the log has one line of it.
    expect(written).toEqual(Array.from({ length: 61 }, () => 'claimed'));
    expect(refused.filter((text) => text.includes('try_again'))).toEqual([]);
    expect(running.failures).toMatchObject([{ error: { code: 'SLACK_BUSY' } }]);
    expect(refused.every((text) => text.includes(running.failures[0]!.reference))).toBe(true);
  });

  test('count forms as well', async () => {
    let sent = 0;
    const form: Listener = {
      kind: 'view',
      name: 'form',
      handle: async () => {
        sent++;
        return { show: { kind: 'close' } };
      },
    };
    running = await startSigned({ listeners: [form] });
    const view = { id: 'V', type: 'modal', callback_id: 'form', blocks: [{ type: 'input', block_id: 'b' }] };
    const submit = () => running.interact({ type: 'view_submission', view });
    const answers = await Promise.all(Array.from({ length: 65 }, submit));
    expect(sent).toBe(60);
    expect(answers.filter(({ text }) => text.includes('Skilldock is busy'))).toHaveLength(5);
  });

  test('keep a busy workspace from delaying another', async () => {
    const search = createHold();
    const slow = heldBack(search.wait);
    let counted = 0;
    const other = {
      ...slow,
      handle: async (...given: Parameters<ListenerOf<'command'>['handle']>) =>
        given[0].installation.id === 'T0NORTH'
          ? ({ kind: 'message', message: plainMessage('at once') } as const)
          : slow.handle(...given),
    };
    running = await startSigned({
      listeners: [other],
      deps: () => ({ usage: { count: () => void counted++ } }),
    });
    await running.services.slackInstallations.install({ ...anyInstallation, id: 'T0NORTH' }, 'default');
    const busy = Promise.all(Array.from({ length: 100 }, (_, at) => running.command('x', { user_id: `U${at}` })));
    expect((await running.command('x', { team_id: 'T0NORTH', user_id: 'UOLGA' })).text).toContain('at once');
    await pollHeld(() => counted).toBe(101);
    await passTime(READY_MS);
    await busy;
    search.release();
    await pollHeld(responses).toHaveLength(100);
  });
});
