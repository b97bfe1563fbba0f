import type { ViewSubmitAction } from '@slack/bolt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SeenView } from '../../fakes/slack.ts';
import { button, input, modal, mrkdwn, option, plain, section, textInput } from './block-kit/samples.ts';
import { answer, type RunningBolt, startBolt } from './start-bolt.ts';

let bolt: RunningBolt;
let triggerId = '';
beforeEach(async () => {
  bolt = await startBolt();
  bolt.app.shortcut('search', async ({ ack, shortcut }) => {
    triggerId = shortcut.trigger_id;
    await ack();
  });
  bolt.app.action('learn_page', async ({ ack, body }) => {
    triggerId = (body as { trigger_id: string }).trigger_id;
    await ack();
  });
});
afterEach(async () => {
  await bolt.close();
  expect(bolt.slack.problems).toEqual([]);
});

const asking = [
  input({ ...textInput, initial_value: undefined }),
  input(
    { type: 'checkboxes', action_id: 'types', options: [option('video'), option('book')] },
    { block_id: 'types', optional: true },
  ),
  { type: 'actions', block_id: 'row', elements: [button()] },
];

async function openModal(view: object = modal(asking)): Promise<SeenView> {
  await bolt.slack.ada.usesShortcut('search');
  expect(await bolt.call('views.open', { trigger_id: triggerId, view })).toMatchObject({ ok: true });
  return bolt.slack.ada.modal()!;
}

test('a shortcut opens a modal, once', async () => {
  const view = await openModal();
  expect(view).toMatchObject({ type: 'modal', title: 'Find learning', callbackId: 'learn_search' });
  expect(bolt.slack.benoit.modal()).toBeNull();
  expect(await bolt.call('views.open', { trigger_id: triggerId, view: modal() })).toMatchObject({
    ok: false,
    error: 'exchanged_trigger_id',
  });
  expect(await bolt.call('views.open', { trigger_id: '1.2.x', view: modal() })).toMatchObject({
    error: 'invalid_trigger_id',
  });
});

test('what is filled in is sent, and the modal closes', async () => {
  let seen: object = {};
  bolt.app.view('learn_search', async ({ ack, body }) => {
    seen = body;
    await ack();
  });
  await bolt.slack.ada.submits(await openModal(), { words: 'docker', types: ['video', 'book'] });
  expect(seen).toMatchObject({
    type: 'view_submission',
    view: {
      private_metadata: 'token',
      callback_id: 'learn_search',
      state: {
        values: {
          words: { words: { type: 'plain_text_input', value: 'docker' } },
          types: { types: { selected_options: [option('video'), option('book')] } },
        },
      },
    },
    response_urls: [],
  });
  expect(bolt.slack.ada.modal()).toBeNull();
});

test('an input that lacks its answer, or has a wrong one, cannot be sent', async () => {
  const view = await openModal();
  await expect(bolt.slack.ada.submits(view)).rejects.toThrow('without an answer: words');
  await expect(bolt.slack.ada.submits(view, { words: 'x'.repeat(501) })).rejects.toThrow('0 to 500');
  await expect(bolt.slack.ada.submits(view, { types: ['song'] })).rejects.toThrow('offers no "song"');
});

test('errors are shown in the modal, by inputs that it has', async () => {
  bolt.app.view('learn_search', async ({ ack }) =>
    ack({ response_action: 'errors', errors: { words: 'Use other words', other: 'Wrong' } }),
  );
  await bolt.slack.ada.submits(await openModal(), { words: 'docker' });
  expect(bolt.slack.ada.modal()).toMatchObject({ errors: { words: 'Use other words' } });
  expect(bolt.slack.takeProblems()).toEqual(['view_submission learn_search, answer: errors.other: is no input']);
});

test('an answer changes the modal, covers it, or closes all', async () => {
  const next = { ...modal([section('Results'), input(textInput)]), callback_id: 'next' };
  bolt.app.view('learn_search', async ({ ack }) => ack({ response_action: 'update', view: next as never }));
  bolt.app.view('next', async ({ ack }) =>
    ack({ response_action: 'push', view: { ...next, callback_id: 'last' } as never }),
  );
  bolt.app.view('last', async ({ ack }) => ack({ response_action: 'clear' }));
  const view = await openModal();
  await bolt.slack.ada.submits(view, { words: 'docker' });
  const updated = bolt.slack.ada.modal()!;
  expect(updated).toMatchObject({ id: view.id, callbackId: 'next' });
  expect(updated.hash).not.toBe(view.hash);
  await bolt.slack.ada.submits(updated);
  const pushed = bolt.slack.ada.modal()!;
  expect(pushed.id).not.toBe(view.id);
  await bolt.slack.ada.submits(pushed);
  expect(bolt.slack.ada.modal()).toBeNull();
});

test('an update keeps what was filled in, and refuses an old hash', async () => {
  const view = await openModal();
  await bolt.slack.ada.fills(view, { words: 'docker' });
  const update = { view_id: view.id, hash: view.hash, view: modal([...asking, section()]) };
  expect(await bolt.call('views.update', update)).toMatchObject({
    ok: true,
    view: { state: { values: { words: { words: { value: 'docker' } } } } },
  });
  expect(await bolt.call('views.update', update)).toMatchObject({ ok: false, error: 'hash_conflict' });
  expect(await bolt.call('views.update', { ...update, view_id: 'V0' })).toMatchObject({ error: 'not_found' });
});

test('three modals are the most, and closing shows the one below', async () => {
  const first = await openModal();
  for (const error of [undefined, undefined, 'push_limit_reached']) {
    await bolt.slack.ada.clicks(bolt.slack.ada.modal()!, 'learn_page');
    const pushed = await bolt.call('views.push', { trigger_id: triggerId, view: modal(asking) });
    expect(pushed.error).toBe(error);
  }
  expect(await bolt.slack.ada.closes(bolt.slack.ada.modal()!)).toBeNull();
  await bolt.slack.ada.closes(bolt.slack.ada.modal()!);
  expect(bolt.slack.ada.modal()).toEqual(first);
});

test('a modal is pushed from a modal only', async () => {
  await bolt.slack.ada.usesShortcut('search');
  expect(await bolt.call('views.push', { trigger_id: triggerId, view: modal() })).toMatchObject({
    error: 'not_found',
  });
});

test('who wants to know is told that a modal was closed', async () => {
  let isTold = false;
  bolt.app.view({ type: 'view_closed', callback_id: 'learn_search' }, async ({ ack }) => {
    isTold = true;
    await ack();
  });
  const view = await openModal({ ...modal(asking), notify_on_close: true });
  await bolt.slack.ada.closes(view);
  expect(isTold).toBe(true);
});

test('a modal answers into the conversation that is chosen in it', async () => {
  let urls: readonly { response_url: string; channel_id: string }[] = [];
  bolt.app.view('learn_search', async ({ ack, body }) => {
    urls = (body as ViewSubmitAction).response_urls ?? [];
    await ack();
  });
  const where = { type: 'conversations_select', action_id: 'where', response_url_enabled: true };
  const view = await openModal(modal([input(where, { block_id: 'where' })]));
  await bolt.slack.ada.submits(view, { where: bolt.slack.ada.in('random').channelId });
  expect(urls).toMatchObject([{ channel_id: 'C1ACMERANDOM', block_id: 'where', action_id: 'where' }]);
  const forAll = { response_type: 'in_channel', unfurl_links: false, unfurl_media: false };
  await answer(urls[0]!.response_url, { text: 'Shared', ...forAll });
  expect(bolt.slack.benoit.in('random').sees()).toMatchObject([{ text: 'Shared' }]);
});

test('a wrong view is refused, and says where it is wrong', async () => {
  await bolt.slack.ada.usesShortcut('search');
  const view = { ...modal(), title: plain('x'.repeat(25)) };
  expect(await bolt.call('views.open', { trigger_id: triggerId, view })).toEqual({
    ok: false,
    error: 'invalid_arguments',
    response_metadata: { messages: ['title.text: longer than 24 characters'] },
  });
  expect(bolt.slack.takeProblems()).toHaveLength(1);
});

test('a modal that cannot be sent stays, and says so', async () => {
  const view = await openModal();
  bolt.slack.connect({ ...bolt.slack.core.app(), eventsUrl: 'http://127.0.0.1:1/' });
  const ack = await bolt.slack.ada.submits(view, { words: 'docker' });
  expect(ack.ok).toBe(false);
  expect(bolt.slack.ada.modal()).toMatchObject({ id: view.id, errors: { '': expect.any(String) } });
  expect(bolt.slack.takeProblems()).toHaveLength(1);
});

test('a token of another workspace opens and changes nothing', async () => {
  const view = await openModal();
  const { token } = bolt.slack.install('north');
  await bolt.slack.ada.usesShortcut('search');
  const wrong = { ok: false, error: 'team_access_not_granted' };
  const open = { trigger_id: triggerId, view: modal() };
  expect(await bolt.call('views.open', open, token)).toMatchObject(wrong);
  expect(await bolt.call('views.update', { view_id: view.id, view: modal() }, token)).toMatchObject(wrong);
  expect(bolt.slack.ada.modal()).toEqual(view);
  expect(bolt.slack.takeProblems()).toHaveLength(2);
});

test('a home is opened and published', async () => {
  bolt.app.event('app_home_opened', async ({ event, client }) => {
    if (event.tab !== 'home') return;
    const blocks = [{ type: 'section', text: mrkdwn(event.view ? 'Again' : 'Hello') }];
    await client.views.publish({ user_id: event.user, view: { type: 'home', blocks: blocks as never } });
  });
  await bolt.slack.ada.opensHome();
  expect(await bolt.slack.ada.waitsForHome()).toMatchObject({
    type: 'home',
    blocks: [{ text: { text: 'Hello' } }],
  });
  await bolt.slack.ada.opensHome();
  await bolt.slack.ada.waitsForHome(({ blocks }) => JSON.stringify(blocks).includes('Again'));
  expect(bolt.slack.benoit.home()).toBeNull();
});
