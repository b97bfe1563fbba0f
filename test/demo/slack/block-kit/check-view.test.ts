import { expect, test } from 'vitest';
import { checkView } from '../../../../demo/slack/block-kit/check.ts';
import { input, messageBlocks, modal, option, plain, section, textInput, viewBlocks } from './samples.ts';

const pathsOf = (view: unknown) => checkView(view).map(({ path }) => path);
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const home = (blocks: readonly object[] = messageBlocks) => ({ type: 'home', blocks });

test('a modal and a home with everything that may be in them are fine', () => {
  expect(checkView(modal())).toEqual([]);
  expect(checkView(home())).toEqual([]);
  expect(checkView(home([input(textInput)]))).toEqual([]);
});

test('there are modals and homes', () => {
  expect(pathsOf({ ...modal(), type: 'workflow_step' })).toEqual(['type']);
  expect(checkView(undefined)).not.toEqual([]);
});

test.each([
  ['no title', { title: undefined }, 'title'],
  ['a long title', { title: plain('x'.repeat(25)) }, 'title.text'],
  ['a long button to send', { submit: plain('x'.repeat(25)) }, 'submit.text'],
  ['a long button to close', { close: plain('x'.repeat(25)) }, 'close.text'],
  ['inputs that cannot be sent', { submit: undefined }, 'submit'],
  ['a long callback id', { callback_id: 'x'.repeat(256) }, 'callback_id'],
  ['much that is private', { private_metadata: 'x'.repeat(3001) }, 'private_metadata'],
  ['no blocks', { blocks: [] }, 'blocks'],
  ['unknown fields', { text: 'x' }, ''],
])('%s is refused', (_name, wrong, path) => {
  expect(pathsOf({ ...modal(), ...wrong })).toEqual([path]);
});

test('without inputs nothing needs to be sent', () => {
  expect(checkView({ ...modal([section()]), submit: undefined })).toEqual([]);
});

test('100 blocks are the most', () => {
  expect(checkView(modal(times(100, () => section())))).toEqual([]);
  expect(pathsOf(modal(times(101, () => section())))).toEqual(['blocks']);
});

test('a home has no title', () => {
  expect(pathsOf({ ...home(), title: plain('Home') })).toEqual(['']);
});

test('ids of blocks are unique', () => {
  expect(pathsOf(modal([...viewBlocks, input(textInput)]))).toEqual([`blocks[${viewBlocks.length}].block_id`]);
});

test('one element takes the cursor', () => {
  const focused = (id: string) => input({ ...textInput, focus_on_load: true }, { block_id: id });
  expect(checkView(modal([focused('a')]))).toEqual([]);
  expect(pathsOf(modal([focused('a'), focused('b')]))).toEqual(['blocks']);
});

test.each([
  ['a long label', input(textInput, { label: plain('x'.repeat(2001)) }), 'blocks[0].label.text'],
  ['a label in markup', input(textInput, { label: { type: 'mrkdwn', text: 'x' } }), 'blocks[0].label.type'],
  ['a button as input', input({ type: 'button', text: plain('x') }), 'blocks[0].element.type'],
  ['a short maximum', input({ ...textInput, max_length: 2 }), 'blocks[0].element.initial_value'],
  ['a high maximum', input({ ...textInput, max_length: 3001 }), 'blocks[0].element.max_length'],
  ['a minimum above the maximum', input({ ...textInput, min_length: 501 }), 'blocks[0].element'],
  [
    'a choice that is not offered',
    input({ type: 'radio_buttons', options: [option('a')], initial_option: option('b') }),
    'blocks[0].element.initial_option',
  ],
])('%s is refused', (_name, block, path) => {
  expect(pathsOf(modal([block]))).toEqual([path]);
});
