import { afterAll, expect, test, vi } from 'vitest';
import type { TrayItem } from '../../../src/browser/picker/tray-items.ts';

vi.stubGlobal('document', { documentElement: { lang: 'en' } });
const { writeTrayTotal } = await import('../../../src/browser/picker/tray-total.ts');
afterAll(() => vi.unstubAllGlobals());

const words = {
  resources1: '{number} resource',
  resources2: '{number} resources',
  points1: '{number} point',
  points2: '{number} points',
  hours: '{number} h',
  minutes: '{number} min',
  atLeast: 'at least {time}',
};
const itemOf = (minutes?: number, points?: number) => ({ minutes, points }) as unknown as TrayItem;
const total = (...items: readonly TrayItem[]) => writeTrayTotal(items, words).replaceAll('\u00a0', ' ');

test.each([
  ['nothing for an empty selection', [], ''],
  ['hours that are rounded from ten on', [itemOf(1350, 10), itemOf(660)], '2 resources · 10 points · 34 h'],
  ['a least that is not rounded up', [itemOf(1350), itemOf(660), itemOf()], '3 resources · at least 33 h'],
  ['a least below ten hours with one digit', [itemOf(119), itemOf()], '2 resources · at least 1.9 h'],
  ['no time where no length is known', [itemOf(undefined, 1)], '1 resource · 1 point'],
])('shows %s', (_, items, text) => {
  expect(total(...items)).toBe(text);
});

test('keeps a number and its unit on one line', () => {
  expect(writeTrayTotal([itemOf(90)], words)).toBe('1 resource · 1.5\u00a0h');
});
