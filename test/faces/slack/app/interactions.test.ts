import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ModalView } from '../../../../src/faces/slack/blocks/block-kit.ts';
import type { Listener, ListenerOf, Reply } from '../../../../src/faces/slack/listener.ts';
import {
  createHold,
  holdTime,
  passTime,
  plainMessage,
  pollHeld,
  type RunningSigned,
  type SlackAnswer,
  startSigned,
} from './start-signed.ts';

/** What the face gives an answer before it opens a window that says to wait. */
const WINDOW_MS = 1_500;

let running: RunningSigned;
beforeEach(holdTime);
afterEach(async () => {
  vi.useRealTimers();
  await running.close();
});

const modal = (text: string): ModalView => ({
  type: 'modal',
  callback_id: 'm',
  title: { type: 'plain_text', text: 'A title' },
  blocks: [...plainMessage(text).blocks],
});

const action = (handle: ListenerOf<'action'>['handle'], name = 'learn_page'): ListenerOf<'action'> => ({
  kind: 'action',
  name,
  handle,
});

const giving = (reply: Reply) => action(async () => reply);

const button = { type: 'button', action_id: 'learn_page', block_id: 'b', value: 'token:2' };

const openModal = {
  id: 'V9',
  hash: 'h9',
  type: 'modal',
  callback_id: 'search',
  private_metadata: 'pm',
  title: { type: 'plain_text', text: 'Search' },
  submit: { type: 'plain_text', text: 'Go' },
  close: null,
  blocks: [{ type: 'input', block_id: 'words' }],
  state: { values: { words: { q: { type: 'plain_text_input', value: 'docker' } } } },
};

const refuse =
  (method: string, error: string) =>
  (call: { readonly method: string }): SlackAnswer | undefined =>
    call.method === method ? { body: { ok: false, error } } : undefined;

const methods = () => running.calls.map(({ method }) => method).filter((method) => method !== 'users.info');
const calls = (method: string) => running.calls.filter((call) => call.method === method).map(({ args }) => args);
const until = (method: string, count = 1) => pollHeld(() => calls(method).length).toBeGreaterThanOrEqual(count);

describe('actions of a message', () => {
  const click = (more: object = {}) =>
    running.interact({ response_url: running.responseUrl, actions: [button], ...more });

  test('are acknowledged at once; a replacement replaces the message, another message stands beside it', async () => {
    for (const kind of ['replace', 'message'] as const) {
      running = await startSigned({ listeners: [giving({ kind, message: plainMessage('next') })] });
      const { status, text } = await click();
      expect([status, text]).toEqual([200, '']);
      await until('response');
      expect(calls('response')).toEqual([
        expect.objectContaining({
          text: 'next',
          replace_original: kind === 'replace',
          response_type: 'ephemeral',
        }),
      ]);
      if (kind === 'replace') await running.close();
    }
  });

  test.each([
    [
      { ...button, type: 'button', value: 'v' },
      { value: 'v', values: [] },
    ],
    [
      { ...button, value: undefined, selected_option: { value: 'o' } },
      { value: 'o', values: [] },
    ],
    [
      { ...button, value: undefined, selected_option: null },
      { value: '', values: [] },
    ],
    [
      { ...button, value: undefined, selected_options: [{ value: 'a' }, { value: 'b' }] },
      { value: '', values: ['a', 'b'] },
    ],
  ])('carry what was chosen, whatever the element', async (sent, read) => {
    const seen: unknown[] = [];
    const listener = action(async (_context, given) => {
      seen.push(given);
      return { kind: 'done' };
    });
    running = await startSigned({ listeners: [listener] });
    await click({ actions: [sent] });
    await pollHeld(() => seen).toEqual([{ actionId: 'learn_page', blockId: 'b', ...read }]);
  });

  test('reach a listener by the beginning of their id', async () => {
    running = await startSigned({
      listeners: [
        action(async (_c, { actionId }) => ({ kind: 'message', message: plainMessage(actionId) }), 'learn_*'),
      ],
    });
    await click();
    await until('response');
    expect(calls('response')).toMatchObject([{ text: 'learn_page' }]);
  });

  test('open a modal', async () => {
    running = await startSigned({ listeners: [giving({ kind: 'modal', view: modal('form') })] });
    await click();
    await until('views.open');
    expect(calls('views.open')).toMatchObject([{ trigger_id: expect.any(String), view: modal('form') }]);
  });

  test('shows the result of what follows in the modal that was opened', async () => {
    const afterwards = async (): Promise<Reply> => ({ kind: 'replace', message: plainMessage('found') });
    running = await startSigned({
      listeners: [giving({ kind: 'modal', view: modal('searching'), afterwards })],
    });
    await click();
    await until('views.update');
    expect(calls('views.update')).toMatchObject([
      { view_id: 'V1', view: { title: { text: 'A title' }, blocks: plainMessage('found').blocks } },
    ]);
  });

  test('open a window if Slack takes no more answers', async () => {
    running = await startSigned({
      listeners: [giving({ kind: 'replace', message: plainMessage('next') })],
      answer: ({ method }) => (method === 'response' ? { status: 404, body: 'expired_url' } : undefined),
    });
    await click();
    await until('views.open');
    expect(calls('views.open')).toMatchObject([{ view: { blocks: plainMessage('next').blocks } }]);
    expect(running.failures).toEqual([]);
  });

  test("log the answer's failure if no window opens either", async () => {
    running = await startSigned({
      listeners: [giving({ kind: 'replace', message: plainMessage('next') })],
      answer: ({ method }) =>
        method === 'response'
          ? { body: { ok: false, error: 'used_url' } }
          : refuse('views.open', 'expired_trigger_id')({ method }),
    });
    await click();
    await pollHeld(() => running.failures).toMatchObject([{ error: { code: 'SLACK_RESPONSE_EXPIRED' } }]);
  });

  test('send the answer without pictures if Slack cannot fetch one', async () => {
    const picture = { type: 'image', image_url: 'https://example.org/gone.png', alt_text: 'gone' } as const;
    const message = { text: 'a', blocks: [...plainMessage('a').blocks, picture] };
    running = await startSigned({
      listeners: [giving({ kind: 'message', message })],
      answer: ({ method, args }) =>
        method === 'response' && JSON.stringify(args).includes('gone.png')
          ? { body: { ok: false, error: 'invalid_blocks' } }
          : undefined,
    });
    await click();
    // Each of its tries lets 50 ms pass.
    await expect.poll(() => calls('response').length).toBe(2);
    expect(calls('response')[1]).toMatchObject({ blocks: plainMessage('a').blocks });
    expect(running.services.problems).toHaveLength(1);
  });

  test('wait as long as Slack asks, and call once more', async () => {
    let isFirst = true;
    running = await startSigned({
      listeners: [giving({ kind: 'message', message: plainMessage('patient') })],
      answer({ method }) {
        if (method !== 'response' || !isFirst) return undefined;
        isFirst = false;
        return { status: 429, headers: { 'Retry-After': '1' }, body: {} };
      },
    });
    await click();
    // Each of its tries lets 50 ms pass.
    await expect.poll(() => calls('response').length).toBe(2);
    expect(running.failures).toEqual([]);
  });

  test('do not wait too long', async () => {
    running = await startSigned({
      listeners: [giving({ kind: 'modal', view: modal('form') })],
      answer: ({ method }) =>
        method === 'views.open' ? { status: 429, headers: { 'Retry-After': '60' }, body: {} } : undefined,
    });
    await click();
    await until('response');
    expect(methods()).toEqual(['views.open', 'response']);
    expect(calls('response')[0]).toMatchObject({ text: expect.stringContaining('60 seconds') });
    expect(running.failures).toMatchObject([{ error: { code: 'SLACK_THROTTLED' }, listener: 'learn_page' }]);
  });
});

describe('actions of a modal', () => {
  const click = () => running.interact({ view: openModal, actions: [button] });

  test('replace its blocks, unless the modal was changed meanwhile', async () => {
    running = await startSigned({
      listeners: [giving({ kind: 'replace', message: plainMessage('next') })],
      answer: refuse('views.update', 'hash_conflict'),
    });
    await click();
    await until('views.update');
    const { id, hash, state, close, type, blocks, ...frame } = openModal;
    expect(calls('views.update')).toEqual([
      expect.objectContaining({
        view_id: id,
        hash,
        view: { type: 'modal', ...frame, blocks: plainMessage('next').blocks },
      }),
    ]);
    expect(running.failures).toEqual([]);
  });

  test('push a message on top of it, or replace it if that is too late', async () => {
    running = await startSigned({
      listeners: [giving({ kind: 'message', message: plainMessage('more') })],
      answer: refuse('views.push', 'expired_trigger_id'),
    });
    await click();
    await until('views.update');
    expect(methods()).toEqual(['views.push', 'views.update']);
    expect(calls('views.update')[0]).toMatchObject({ view: { blocks: plainMessage('more').blocks } });
  });

  test('replace it while Slack holds back pushes', async () => {
    running = await startSigned({
      listeners: [giving({ kind: 'message', message: plainMessage('more') })],
      answer: ({ method }) =>
        method === 'views.push' ? { status: 429, headers: { 'Retry-After': '12' }, body: {} } : undefined,
    });
    await click();
    await until('views.update');
    expect(methods()).toEqual(['views.push', 'views.update']);
    expect(running.failures).toEqual([]);
  });

  test('are tried again with the input of the first try', async () => {
    const seen: unknown[] = [];
    const listener = action(async ({ view }) => {
      seen.push([view?.id, view?.values.words?.q?.value]);
      if (seen.length === 1) throw new Error('no');
      return { kind: 'done' };
    });
    running = await startSigned({ listeners: [listener] });
    await click();
    await until('views.push');
    const { blocks } = calls('views.push')[0]!.view as {
      readonly blocks: readonly { readonly elements: readonly object[] }[];
    };
    const failure = { id: 'V10', hash: 'h10', type: 'modal', callback_id: 'slack_window' };
    await running.interact({ view: failure, actions: [{ ...blocks[1]!.elements[0], block_id: 'b' }] });
    await pollHeld(() => seen).toEqual([
      ['V9', 'docker'],
      ['V10', 'docker'],
    ]);
    await until('views.update');
    expect(JSON.stringify(calls('views.update'))).toContain('Done.');
  });
});

describe('requests that only a window can answer', () => {
  const home = { id: 'VH', hash: 'h', type: 'home', callback_id: '' };

  test('show a message in a window on the home page', async () => {
    running = await startSigned({
      listeners: [giving({ kind: 'message', message: plainMessage('results') })],
    });
    await running.interact({ view: home, actions: [button] });
    await until('views.open');
    expect(calls('views.open')).toMatchObject([{ view: { type: 'modal', blocks: plainMessage('results').blocks } }]);
  });

  const shortcut = (wait?: () => Promise<void>): Listener => ({
    kind: 'shortcut',
    name: 'search_learning',
    handle: async (_context, source) => {
      await wait?.();
      return { kind: 'modal', view: modal(source?.text ?? 'form') };
    },
  });

  test('open a waiting window for a late answer, and put the answer into it', async () => {
    const search = createHold();
    running = await startSigned({ listeners: [shortcut(search.wait)] });
    const acknowledged = running.interact({ type: 'shortcut', callback_id: 'search_learning' });
    await search.begun;
    await passTime(WINDOW_MS);
    await until('views.open');
    search.release();
    expect((await acknowledged).status).toBe(200);
    await until('views.update');
    expect(methods()).toEqual(['views.open', 'views.update']);
    expect(JSON.stringify(calls('views.open'))).toContain('One moment');
    expect(calls('views.update')).toMatchObject([{ view_id: 'V1', view: modal('form') }]);
  });

  test('do not wait for a window that Slack holds back', async () => {
    const search = createHold();
    const listener: Listener = {
      kind: 'shortcut',
      name: 'search_learning',
      handle: async () => {
        await search.wait();
        return { kind: 'message', message: plainMessage('found') };
      },
    };
    running = await startSigned({
      listeners: [listener],
      answer: ({ method }) =>
        method === 'views.open' ? { status: 429, headers: { 'Retry-After': '12' }, body: {} } : undefined,
    });
    const acknowledged = shortcutOfMessage();
    await search.begun;
    await passTime(WINDOW_MS);
    await until('views.open');
    search.release();
    await acknowledged;
    await until('response');
    expect(methods()).toEqual(['views.open', 'response']);
    expect(calls('response')).toMatchObject([{ text: 'found' }]);
  });

  const shortcutOfMessage = () =>
    running.interact({
      type: 'message_action',
      callback_id: 'search_learning',
      response_url: running.responseUrl,
      channel: { id: 'C1' },
      message: { text: 'learn &amp; docker', ts: '1.1', thread_ts: '1.0' },
    });

  test('pass the message to a message shortcut', async () => {
    running = await startSigned({ listeners: [shortcut()] });
    await shortcutOfMessage();
    await until('views.open');
    expect(calls('views.open')).toMatchObject([{ view: modal('learn &amp; docker') }]);
  });
});

test('answers somebody of another workspace in a modal of this one (Slack Connect)', async () => {
  running = await startSigned({ listeners: [giving({ kind: 'modal', view: modal('here') })] });
  const view = { ...openModal, team_id: 'T0ACME', app_installed_team_id: 'T0ACME' };
  const guest = { team: { id: 'T0OTHER' }, user: { id: 'UGUEST', team_id: 'T0OTHER' } };
  await running.interact({ ...guest, view, container: { type: 'view', view_id: 'V9' }, actions: [button] });
  await pollHeld(() => calls('views.push').length + calls('views.update').length).toBe(1);
  expect(running.services.problems).toEqual([]);
});
