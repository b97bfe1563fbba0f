import { describe, expect, test } from 'vitest';
import { checkMessage } from '../../../../demo/slack/block-kit/check.ts';
import { button, input, message, messageBlocks, mrkdwn, plain, section, textInput } from './samples.ts';

const pathsOf = (payload: unknown) => checkMessage(payload).map(({ path }) => path);
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

test('a message with everything that may be in one is fine', () => {
  expect(checkMessage(message())).toEqual([]);
});

test('fields that are undefined do not travel, and are no problem', () => {
  expect(checkMessage({ ...message(), thread_ts: undefined, other: undefined })).toEqual([]);
});

test('nothing at all is a problem', () => {
  for (const payload of [undefined, null, '', [], {}]) expect(checkMessage(payload)).not.toEqual([]);
});

test('a message says in words what it shows', () => {
  expect(checkMessage({ blocks: messageBlocks })).toEqual([
    { path: 'text', problem: 'is missing: screen readers and notifications have nothing else' },
  ]);
  expect(pathsOf({ text: ' ' })).toEqual(['text']);
  expect(pathsOf({ text: 'x'.repeat(4001) })).toEqual(['text']);
  expect(checkMessage({ text: 'x'.repeat(4000) })).toEqual([]);
  expect(checkMessage({ delete_original: true })).toEqual([]);
});

test('what is sent must not unfold links', () => {
  const kept = { ...message(), unfurl_links: false, unfurl_media: false };
  expect(checkMessage(kept, { sent: true })).toEqual([]);
  expect(checkMessage({ ...kept, unfurl_media: true }, { sent: true })).toEqual([
    { path: 'unfurl_media', problem: 'is not false' },
  ]);
  expect(checkMessage(message(), { sent: true })).toHaveLength(2);
});

describe('fields', () => {
  test('that are unknown are problems, and say where', () => {
    expect(pathsOf({ ...message(), attachments: [] })).toEqual(['']);
    expect(pathsOf(message([section('a', { colour: 'red' })]))).toEqual(['blocks[0]']);
    expect(pathsOf(message([{ type: 'actions', elements: [{ ...button(), colour: 'red' }] }]))).toEqual([
      'blocks[0].elements[0]',
    ]);
    expect(pathsOf(message([section('a', { text: { ...mrkdwn('a'), emoji: true } })]))).toEqual(['blocks[0].text']);
  });

  test.each(['rich_text', 'video', 'file', 'table', 'nothing'])('blocks of type %s are not taken', (type) => {
    expect(pathsOf(message([{ type }]))).toEqual(['blocks[0].type']);
  });

  test('inputs are for modals', () => {
    expect(pathsOf(message([input(textInput)]))).toEqual(['blocks[0].type']);
    expect(pathsOf(message([{ type: 'actions', elements: [textInput] }]))).toEqual(['blocks[0].elements[0].type']);
  });

  test.each([
    ['blank text', section(' '), 'blocks[0].text.text'],
    ['long text', section('x'.repeat(3001)), 'blocks[0].text.text'],
    ['neither text nor fields', { type: 'section' }, 'blocks[0]'],
    ['11 fields', { type: 'section', fields: times(11, () => plain('a')) }, 'blocks[0].fields'],
    ['a long field', { type: 'section', fields: [plain('x'.repeat(2001))] }, 'blocks[0].fields[0].text'],
    ['a long header', { type: 'header', text: plain('x'.repeat(151)) }, 'blocks[0].text.text'],
    ['markup in a header', { type: 'header', text: mrkdwn('x') }, 'blocks[0].text.type'],
    ['11 parts of a context', { type: 'context', elements: times(11, () => plain('a')) }, 'blocks[0].elements'],
    ['26 actions', { type: 'actions', elements: times(26, (n) => button(`a${n}`)) }, 'blocks[0].elements'],
    ['no actions', { type: 'actions', elements: [] }, 'blocks[0].elements'],
    ['a long id', { type: 'divider', block_id: 'x'.repeat(256) }, 'blocks[0].block_id'],
    ['an image without words', { type: 'image', image_url: 'https://example.org/a.png' }, 'blocks[0].alt_text'],
    [
      'an image with a long description',
      { type: 'image', image_url: 'https://example.org/a.png', alt_text: 'x'.repeat(2001) },
      'blocks[0].alt_text',
    ],
    ['an image of no site', { type: 'image', image_url: 'data:image/png,', alt_text: 'x' }, 'blocks[0].image_url'],
    [
      'an image with a long address',
      { type: 'image', image_url: `https://example.org/${'x'.repeat(3000)}`, alt_text: 'x' },
      'blocks[0].image_url',
    ],
  ])('%s is refused', (_name, block, path) => {
    expect(pathsOf(message([block]))).toEqual([path]);
  });
});

describe('together', () => {
  test('50 blocks are the most', () => {
    expect(checkMessage(message(times(50, () => section())))).toEqual([]);
    expect(pathsOf(message(times(51, () => section())))).toEqual(['blocks']);
  });

  test('13,000 characters are the most', () => {
    const of = (last: number) => message([...times(5, () => 2500), last].map((n) => section('x'.repeat(n))));
    expect(checkMessage(of(500))).toEqual([]);
    expect(checkMessage(of(501))).toEqual([
      { path: 'blocks', problem: '13001 characters of text together, more than 13000' },
    ]);
  });

  test('ids of blocks are unique', () => {
    const divider = { type: 'divider', block_id: 'a' };
    expect(pathsOf(message([divider, section(), divider]))).toEqual(['blocks[2].block_id']);
  });

  test('ids of actions are unique in their block only', () => {
    const row = (...ids: string[]) => ({ type: 'actions', elements: ids.map((id) => button(id)) });
    expect(checkMessage(message([row('a', 'b'), row('a')]))).toEqual([]);
    expect(pathsOf(message([row('a', 'b', 'a')]))).toEqual(['blocks[0].elements[2].action_id']);
  });

  test('only inputs of modals answer into a conversation', () => {
    const select = { type: 'conversations_select', action_id: 'a', response_url_enabled: true };
    expect(pathsOf(message([{ type: 'actions', elements: [select] }]))).toEqual(['blocks[0]']);
  });
});
