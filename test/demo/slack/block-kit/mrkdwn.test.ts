import { expect, test } from 'vitest';
import { checkMessage } from '../../../../demo/slack/block-kit/check.ts';
import { message, section } from './samples.ts';

const isFine = (text: string) => checkMessage(message([section(text)])).length === 0;

test.each([
  'Plain *bold* _italic_ `code`',
  'R&amp;D &lt;3 &gt; all',
  '<https://example.org/a?b=1&amp;c=2|Docker>',
  '<https://example.org/>',
  '<slack://app?team=T1|Open>',
  'Shared by <@U1ADA> in <#C1GENERAL>',
  '<!date^1392734382^{date_short}|18 February>',
  '> quoted\n>> twice',
  'مرحبا 🐳 &lt;!channel&gt;',
])('%s is fine', (text) => {
  expect(isFine(text)).toBe(true);
});

test.each([
  '<!channel>',
  '<!here|here>',
  'a <!everyone> b',
  '<!subteam^S1>',
  '<@U1ADA> and <@everyone>',
  '<#general>',
  '<javascript:alert(1)|Docker>',
  '<data:text/html,x|Docker>',
  '<mailto:ada@example.org|Ada>',
  '<docker>',
  '<https://example.org/a b|Docker>',
  '<https://example.org/|>',
  '<https://example.org/|Docker > Compose>',
  'R&D',
  '<https://example.org/?a=1&b=2|Docker>',
  '&copy; 2020',
  'a < b',
  'a > b',
  '<<https://example.org/|a>',
])('%s is refused', (text) => {
  expect(isFine(text)).toBe(false);
});

test('the words of the message itself are held to it too', () => {
  expect(checkMessage({ text: 'Hello <!here>' })).toEqual([{ path: 'text', problem: 'calls everybody with <!here>' }]);
});
