import { expect, test } from 'vitest';
import { checkMessage, checkOptions } from '../../../../demo/slack/block-kit/check.ts';
import { button, externalSelect, message, mrkdwn, option, overflow, plain, section, staticSelect } from './samples.ts';

const problemsOf = (element: object) => checkMessage(message([{ type: 'actions', elements: [element] }]));
const pathsOf = (element: object) =>
  problemsOf(element).map(({ path }) => path.replace(/^blocks\[0\]\.elements\[0\]\.?/, ''));
const many = (count: number) => Array.from({ length: count }, (_, index) => option(String(index)));
const confirm = { title: plain('a'), text: mrkdwn('a'), confirm: plain('a'), deny: plain('a') };

test.each([
  ['a button with the longest texts', { ...button('x'.repeat(255), 'x'.repeat(2000)), text: plain('x'.repeat(75)) }],
  ['a menu of 100', { ...staticSelect(), options: many(100), initial_option: option('99') }],
  ['a menu of 5', { ...overflow(), options: many(5) }],
  ['the longest option', { ...externalSelect(), initial_option: option('v'.repeat(150), 't'.repeat(75)) }],
])('%s is fine', (_name, element) => {
  expect(problemsOf(element)).toEqual([]);
});

test.each([
  ['a long button', { ...button(), text: plain('x'.repeat(76)) }, 'text.text'],
  ['a button in markup', { ...button(), text: mrkdwn('x') }, 'text.type'],
  ['a long value', button('a', 'x'.repeat(2001)), 'value'],
  ['a long action id', button('x'.repeat(256)), 'action_id'],
  ['a script as address', { ...button(), url: 'javascript:alert(1)' }, 'url'],
  ['a long address', { ...button(), url: `https://example.org/${'x'.repeat(3000)}` }, 'url'],
  ['an unknown style', { ...button(), style: 'default' }, 'style'],
  [
    'a long title of a confirmation',
    { ...button(), confirm: { ...confirm, title: plain('x'.repeat(101)) } },
    'confirm.title.text',
  ],
  ['a long confirmation', { ...button(), confirm: { ...confirm, text: plain('x'.repeat(301)) } }, 'confirm.text.text'],
  ['a long answer', { ...button(), confirm: { ...confirm, deny: plain('x'.repeat(31)) } }, 'confirm.deny.text'],
  ['an overflow menu of 1', { ...overflow(), options: many(1) }, 'options'],
  ['an overflow menu of 6', { ...overflow(), options: many(6) }, 'options'],
  ['no options', { ...staticSelect(), options: [], initial_option: undefined }, 'options'],
  ['101 options', { ...staticSelect(), options: many(101), initial_option: undefined }, 'options'],
  ['a long option', { ...externalSelect(), initial_option: option('a', 'x'.repeat(76)) }, 'initial_option.text.text'],
  [
    'a long value of an option',
    { ...externalSelect(), initial_option: option('x'.repeat(151), 'x') },
    'initial_option.value',
  ],
  ['neither options nor groups', { type: 'static_select', action_id: 'a' }, ''],
  ['options and groups', { ...staticSelect(), option_groups: [{ label: plain('a'), options: many(1) }] }, ''],
  ['a choice that is not offered', { ...staticSelect(), initial_option: option('de', 'German') }, 'initial_option'],
  [
    'a choice that differs in its description',
    { ...staticSelect(), initial_option: option('fr', 'French') },
    'initial_option',
  ],
  ['a long placeholder', { ...staticSelect(), placeholder: plain('x'.repeat(151)) }, 'placeholder.text'],
  ['half a character to search for', { ...externalSelect(), min_query_length: 0.5 }, 'min_query_length'],
  ['options of an external menu', { ...externalSelect(), options: many(1) }, ''],
  ['11 radio buttons', { type: 'radio_buttons', options: many(11) }, 'options'],
  ['11 checkboxes', { type: 'checkboxes', options: many(11) }, 'options'],
  [
    'a box that is not there',
    { type: 'checkboxes', options: many(2), initial_options: [option('7')] },
    'initial_options[0]',
  ],
  ['a menu of several in a row', { type: 'multi_static_select', options: many(2) }, 'type'],
])('%s is refused', (_name, element, path) => {
  expect(pathsOf(element)).toEqual([path]);
});

test('a menu of several is taken beside a section', () => {
  const menu = { type: 'multi_static_select', action_id: 'a', options: many(2) };
  expect(checkMessage(message([section('a', { accessory: menu })]))).toEqual([]);
  const chosen = { ...menu, initial_options: many(2), max_selected_items: 1 };
  expect(checkMessage(message([section('a', { accessory: chosen })]))).toHaveLength(1);
});

test('what is offered while somebody types is held to the same limits', () => {
  expect(checkOptions({ options: [] })).toEqual([]);
  expect(checkOptions({ options: many(100) })).toEqual([]);
  expect(checkOptions({ option_groups: [{ label: plain('a'), options: many(2) }] })).toEqual([]);
  expect(checkOptions({ options: many(101) })).toHaveLength(1);
  expect(checkOptions({ option_groups: [{ label: plain('x'.repeat(76)), options: many(2) }] })).toHaveLength(1);
  expect(checkOptions({})).toHaveLength(1);
});
