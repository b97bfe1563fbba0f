import { afterEach, expect, test } from 'vitest';
import { noticeMessage } from '../../../../src/faces/slack/blocks/messages.ts';
import { HOME, type ListenerOf } from '../../../../src/faces/slack/listener.ts';
import { type RunningSigned, startSigned } from './start-signed.ts';

let running: RunningSigned;
afterEach(() => running.close());

const open = (tab: string, more: object = {}) =>
  running.event({ type: 'app_home_opened', user: 'UADA', channel: 'D1', tab }, more);

/** Says what it is told to. */
const home: ListenerOf<'home'> = {
  kind: 'home',
  name: HOME,
  async handle({ slack, userId, owner }, said = `of ${owner.person}`) {
    const { blocks } = noticeMessage(said);
    await slack.publishHome(userId, { type: 'home', callback_id: 'home', blocks });
  },
};

const published = async (count = 1) => JSON.stringify((await running.callsOf('views.publish', count))[count - 1]);
const buttonIn = (said: string) => /"value":"([\w-]{16})"/.exec(said)?.[1];
const onHome = { id: 'VH', hash: 'h', type: 'home', callback_id: 'home' };

test('is drawn once for each event that opens it, and not for the messages tab', async () => {
  running = await startSigned({ listeners: [home] });
  const again = { event_id: 'Ev1' };
  for (const { status } of [await open('messages'), await open('home', again), await open('home', again)])
    expect(status).toBe(200);
  await open('home');
  expect(await published(2)).toContain('of slack:T0ACME:UADA');
  expect(running.calls.filter(({ method }) => method === 'views.publish')).toHaveLength(2);
});

test('shows a failure to draw it, which can be tried again', async () => {
  let failures = 2;
  const fragile: ListenerOf<'home'> = {
    kind: 'home',
    name: HOME,
    handle: (...given) => (failures-- > 0 ? Promise.reject(new Error('no')) : home.handle(...given)),
  };
  running = await startSigned({ listeners: [fragile] });
  await open('home');
  for (const times of [1, 2]) {
    const said = await published(times);
    expect(said).toContain(running.failures[times - 1]!.reference);
    await running.interact({
      view: onHome,
      actions: [{ type: 'button', action_id: 'try_again', block_id: 'b', value: buttonIn(said) }],
    });
  }
  expect(await published(3)).toContain('of slack:T0ACME:UADA');
  expect(running.failures).toMatchObject([{ listener: 'app_home_opened' }, { listener: 'try_again' }]);
  expect(running.calls.filter(({ method }) => method.startsWith('views.'))).toHaveLength(3);
});

const button: ListenerOf<'action'> = {
  kind: 'action',
  name: 'home_link',
  handle: async () => ({ kind: 'message', message: noticeMessage('a code') }),
};
const click = () =>
  running.interact({
    view: onHome,
    actions: [{ type: 'button', action_id: 'home_link', block_id: 'b', value: '-' }],
  });

test('shows a failure that no window can show', async () => {
  running = await startSigned({
    listeners: [home, button],
    answer: ({ method }) =>
      method === 'views.open' ? { body: { ok: false, error: 'expired_trigger_id' } } : undefined,
  });
  await click();
  const said = await published();
  expect(said).toContain('only right after a click');
  expect(said).toContain(running.failures[0]!.reference);
});

test('logs a failure that can be shown nowhere', async () => {
  running = await startSigned({
    listeners: [home, button],
    answer: ({ method }) => (method.startsWith('views.') ? { body: { ok: false, error: 'fatal_error' } } : undefined),
  });
  await click();
  await expect.poll(() => running.services.problems).toHaveLength(1);
  expect(running.failures).toMatchObject([{ error: { code: 'SLACK_FAILED' }, listener: 'home_link' }]);
});
