import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  button,
  externalSelect,
  message,
  option,
  overflow,
  plain,
  section,
  staticSelect,
} from './block-kit/samples.ts';
import { type RunningBolt, startBolt } from './start-bolt.ts';

let bolt: RunningBolt;
beforeEach(async () => {
  bolt = await startBolt();
  bolt.app.command('/learn', async ({ ack }) => ack({ text: 'Results', blocks: blocks as never }));
});
afterEach(async () => {
  await bolt.close();
  expect(bolt.slack.problems).toEqual([]);
});

const blocks = [
  section('One', { accessory: overflow() }),
  { type: 'actions', elements: [{ ...button('learn_page', 'a'), text: plain('Previous') }] },
  { type: 'actions', elements: [{ ...button('learn_page', 'b'), text: plain('Next') }] },
  { type: 'actions', block_id: 'filters', elements: [staticSelect(), externalSelect()] },
];

async function results() {
  await bolt.slack.ada.types('/learn docker');
  return bolt.slack.ada.sees().at(-1)!;
}

test('a click says what was clicked, and where', async () => {
  const seen = onAction('learn_page');
  const ack = await bolt.slack.ada.clicks(await results(), 'learn_page', 'Next');
  expect(ack.ok).toBe(true);
  expect(seen()).toMatchObject({
    type: 'block_actions',
    user: { id: 'U1ADA', team_id: 'T1ACME' },
    container: { type: 'message', is_ephemeral: true, channel_id: 'C1ACMEGENERAL' },
    actions: [{ type: 'button', action_id: 'learn_page', value: 'b' }],
    state: { values: { filters: { learn_filter_lang: { selected_option: { value: 'fr' } } } } },
  });
  expect(seen()).not.toHaveProperty('message');
});

test('a click that is ambiguous, or on nothing, or by somebody else cannot be done', async () => {
  const shown = await results();
  await expect(bolt.slack.ada.clicks(shown, 'learn_page')).rejects.toThrow('2 of learn_page');
  await expect(bolt.slack.ada.clicks(shown, 'learn_page', 'Last')).rejects.toThrow('Previous, Next');
  await expect(bolt.slack.benoit.clicks(shown, 'learn_page', 'Next')).rejects.toThrow('not to be seen');
});

test('a choice is an option that is offered, and stays chosen', async () => {
  const seen = onAction('learn_filter_lang');
  const shown = await results();
  await bolt.slack.ada.chooses(shown, 'learn_filter_lang', 'en');
  expect(seen()).toMatchObject({
    actions: [{ type: 'static_select', selected_option: option('en', 'English') }],
    state: { values: { filters: { learn_filter_lang: { selected_option: { value: 'en' } } } } },
  });
  await expect(bolt.slack.ada.chooses(shown, 'learn_filter_lang', 'de')).rejects.toThrow('offers no "de"');
});

test('an entry of an overflow menu is clicked by its words', async () => {
  const seen = onAction('skills_more');
  await bolt.slack.ada.clicks(await results(), 'skills_more', 'similar');
  expect(seen()).toMatchObject({ actions: [{ selected_option: { value: 'similar' } }] });
});

test('an external menu offers what the app offers, and nothing else can be chosen', async () => {
  onAction('learn_word');
  bolt.app.options('learn_word', async ({ ack, options }) =>
    ack({ options: [option(`${options.value}-basics`) as never] }),
  );
  const shown = await results();
  expect(await bolt.slack.ada.looksUp(shown, 'learn_word', 'do')).toEqual([{ label: 'do-basics', value: 'do-basics' }]);
  expect((await bolt.slack.ada.chooses(shown, 'learn_word', 'do-basics')).ok).toBe(true);
  await expect(bolt.slack.ada.chooses(shown, 'learn_word', 'other')).rejects.toThrow('offers no "other"');
  expect(await bolt.slack.ada.looksUp(shown, 'learn_word', 'd')).toEqual([]);
});

test('options that Slack would not take are reported', async () => {
  bolt.app.options('learn_word', async ({ ack }) => ack({ options: [option('a', 'x'.repeat(76)) as never] }));
  expect(await bolt.slack.ada.looksUp(await results(), 'learn_word', 'do')).toEqual([]);
  expect(bolt.slack.takeProblems()).toHaveLength(1);
});

test('the message of a button can be replaced in its place', async () => {
  bolt.app.action('learn_page', async ({ ack, respond }) => {
    await ack();
    await respond({ text: 'Page 2', replace_original: true });
  });
  const shown = await results();
  await results();
  await bolt.slack.ada.clicks(shown, 'learn_page', 'Next');
  await bolt.slack.ada.waitsForMessage(({ ts, text }) => ts === shown.ts && text === 'Page 2');
  expect(bolt.slack.ada.sees().map(({ text }) => text)).toEqual(['Page 2', 'Results']);
});

test('the message of a button can be removed, or answered to everybody', async () => {
  bolt.app.action('learn_page', async ({ ack, respond }) => {
    await ack();
    const kept = { replace_original: false, unfurl_links: false, unfurl_media: false };
    await respond({ text: 'Shared', response_type: 'in_channel', ...kept } as never);
    await respond({ delete_original: true });
  });
  await bolt.slack.ada.clicks(await results(), 'learn_page', 'Next');
  await bolt.slack.ada.waitsForMessage(({ text }) => text === 'Shared');
  await expect.poll(() => bolt.slack.ada.sees().map(({ text }) => text)).toEqual(['Shared']);
  expect(bolt.slack.benoit.sees().map(({ text }) => text)).toEqual(['Shared']);
});

test('a message that all see comes along with a click', async () => {
  const seen = onAction('learn_page');
  await bolt.call('chat.postMessage', {
    channel: bolt.slack.ada.channelId,
    ...message([{ type: 'actions', elements: [button()] }]),
    unfurl_links: false,
    unfurl_media: false,
  });
  await bolt.slack.benoit.clicks(bolt.slack.benoit.sees()[0]!, 'learn_page');
  expect(seen()).toMatchObject({ container: { is_ephemeral: false }, message: { text: 'Five results' } });
});

test('a shortcut of a message gives the message, also in a thread', async () => {
  let seen: object = {};
  bolt.app.shortcut('find_learning', async ({ ack, shortcut }) => {
    seen = shortcut;
    await ack();
  });
  const first = bolt.slack.benoit.says('How do I deploy &amp; run?');
  const reply = bolt.slack.benoit.says('With Docker', first.ts);
  await bolt.slack.ada.usesMessageShortcut(reply, 'find_learning');
  expect(seen).toMatchObject({
    type: 'message_action',
    message: { type: 'message', user: 'U1BENOIT', text: 'With Docker', thread_ts: first.ts },
    message_ts: reply.ts,
    channel: { id: 'C1ACMEGENERAL', name: 'general' },
    response_url: expect.stringContaining(bolt.slack.url),
  });
});

test('a global shortcut knows no conversation', async () => {
  let seen: object = {};
  bolt.app.shortcut('search_learning', async ({ ack, shortcut }) => {
    seen = shortcut;
    await ack();
  });
  await bolt.slack.ada.usesShortcut('search_learning');
  expect(seen).toMatchObject({ type: 'shortcut', user: { id: 'U1ADA' } });
  expect(seen).not.toHaveProperty('channel');
  expect(seen).not.toHaveProperty('response_url');
});

test('a click that is answered with words is reported', async () => {
  bolt.app.action('learn_page', async ({ ack }) => (ack as (text: string) => Promise<void>)('Done'));
  await bolt.slack.ada.clicks(await results(), 'learn_page', 'Next');
  expect(bolt.slack.takeProblems()).toEqual(['block_actions learn_page, answer: is not empty']);
});

function onAction(actionId: string): () => object {
  let seen: object = {};
  bolt.app.action(actionId, async ({ ack, body }) => {
    seen = body;
    await ack();
  });
  return () => seen;
}
