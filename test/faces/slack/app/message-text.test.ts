import { expect, test } from 'vitest';
import { readMessageText } from '../../../../src/faces/slack/app/message-text.ts';

const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
const text = (words: string, style = {}) => ({ type: 'text', text: words, style });
const rich = (...elements: object[]) => ({ type: 'rich_text', elements });
const docker = 'Learn docker and kubernetes';

test.each([
  ['its text', { text: docker }, docker],
  ['nothing', {}, ''],
  ['values of wrong types', { text: 3, blocks: 'x', attachments: [null, 7, { text: [] }] }, ''],
  [
    'an attachment of an integration, without its fallback',
    { text: '', attachments: [{ fallback: 'F', pretext: 'P', title: 'Docker', text: docker }] },
    `P\nDocker\n${docker}`,
  ],
  ['the fallback where there is nothing else', { attachments: [{ fallback: docker }] }, docker],
  ['the fields of an attachment', { attachments: [{ fields: [{ title: 'Course', value: 'SQL' }] }] }, 'Course\nSQL'],
  [
    'the blocks of an attachment',
    { attachments: [{ blocks: [{ type: 'section', text: { type: 'mrkdwn', text: docker } }] }] },
    docker,
  ],
  [
    'a forwarded message behind what was written with it',
    {
      text: 'Who knows this?',
      attachments: [{ is_share: true, message_blocks: [{ message: { blocks: [rich(section(text(docker)))] } }] }],
    },
    `Who knows this?\n${docker}`,
  ],
  [
    'sections, headers and notes, without buttons',
    {
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Course' } },
        {
          type: 'section',
          fields: [{ type: 'mrkdwn', text: 'SQL' }],
          accessory: { type: 'button', text: { text: 'Go' } },
        },
        { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Press' } }] },
        { type: 'context', elements: [{ type: 'mrkdwn', text: 'Python' }] },
      ],
    },
    'Course\nSQL\nPython',
  ],
  [
    'lists and quotations, without code, people and emoji',
    {
      blocks: [
        rich(
          section(text('R&D in '), text('npm', { code: true }), { type: 'emoji', name: 'whale' }),
          {
            type: 'rich_text_list',
            elements: [section(text('Go')), section({ type: 'user', user_id: 'U1' })],
          },
          {
            type: 'rich_text_quote',
            elements: [text('Rust '), { type: 'link', url: 'https://a.example', text: 'here' }],
          },
          { type: 'rich_text_preformatted', elements: [text('x = 1')] },
        ),
      ],
    },
    'R&amp;D in \nGo\n\nRust here',
  ],
  ['a text once that its blocks repeat', { text: `*${docker}*`, blocks: [rich(section(text(docker)))] }, `*${docker}*`],
  [
    'no preview of a link',
    { text: 'See <https://a.example>', attachments: [{ original_url: 'https://a.example', title: 'Shop' }] },
    'See <https://a.example>',
  ],
])('reads %s', (_, message, expected) => {
  expect(readMessageText(message)).toBe(expected);
});

test('ends with blocks in one another without end', () => {
  const block: Record<string, unknown> = { type: 'section' };
  block.elements = [block, block];
  expect(readMessageText({ blocks: [block] })).toBe('');
});
