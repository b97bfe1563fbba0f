import { expect, test } from 'vitest';
import { messageText } from '../../../../src/faces/slack/skills/find-in-message.ts';

test.each([
  ['entities', 'R&amp;D &lt;fast&gt;', 'R&D <fast>'],
  [
    'mentions',
    '<@U1> and <@U2|ada>: who knows Python? <!here> <!subteam^S1|@devs> <#C1|general>',
    'and : who knows Python?',
  ],
  ['addresses', 'See <https://example.org/a> or www.example.org or a@example.org', 'See or or'],
  [
    'links, which leave their words',
    '<https://example.org/a|The Docker book> and <https://example.org/b|https://example.org/b>',
    'The Docker book and',
  ],
  ['mail links', 'Ask <mailto:a@example.org|a@example.org>', 'Ask'],
  ['code', 'Run `npm i` then ```docker\nrun``` for Kubernetes', 'Run then for Kubernetes'],
  ['code that does not end', 'Kubernetes ```docker run', 'Kubernetes'],
  ['marks and pictures', '*Python* and _SQL_ ~Java~ :tada: snake_case', 'Python and SQL Java snake_case'],
  ['quotations', '&gt; learn Docker\n&gt; and SQL', 'learn Docker and SQL'],
  ['nothing', '<@U1> :wave: `x`', ''],
])('what a message says is read without %s', (_, text, said) => {
  expect(messageText(text)).toBe(said);
});

test.each(['a', 'a@', 'a.', '*', '*_~`<:', '\n', ' ', '&gt;', '<', '<https:', ':a', '```', '-"'])(
  'a long message of %j alone is read before anybody stops waiting',
  (part) => {
    expect(messageText(part.repeat(40_000 / part.length)).length).toBeLessThanOrEqual(40_000);
  },
);
