import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cutSlackText,
  escapeMrkdwn,
  linkTitle,
  toBlockAddress,
  unescapeSlack,
} from '../../../../src/faces/slack/blocks/text.ts';

test('escapes mentions and links, and unescapes them', () => {
  expect(escapeMrkdwn('<!channel> & <@U1>')).toBe('&lt;!channel&gt; &amp; &lt;@U1&gt;');
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('&', '<', '>', 'amp;', 'lt;', 'é', '👍🏽') }), (text) => {
      expect(escapeMrkdwn(text)).not.toMatch(/[<>]/);
      expect(unescapeSlack(escapeMrkdwn(text))).toBe(text);
    }),
  );
});

test('unescapes once', () => {
  expect(unescapeSlack('&amp;lt; &nbsp; &gt;')).toBe('&lt; &nbsp; >');
});

test('removes direction overrides', () => {
  expect(escapeMrkdwn('\u202eabc\u202c\u0000')).toBe('abc');
});

describe('cutting', () => {
  test.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['a &amp; b &amp; c', 12, 'a &amp; b…'],
    ['R & D and more', 5, 'R &…'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 15, '👩‍👩‍👧‍👦…'],
    ['👩‍👩‍👧‍👦', 5, '…'],
  ])('%j to %d is %j', (text, max, expected) => {
    expect(cutSlackText(text, max)).toBe(expected);
  });

  test('never exceeds the length, and splits no escape', () => {
    const texts = fc.string({ unit: fc.constantFrom('&', '<', 'a', ' ', '👩‍👩‍👧‍👦', 'é'), maxLength: 60 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (text, max) => {
        const short = cutSlackText(escapeMrkdwn(text), max);
        expect(short.length).toBeLessThanOrEqual(max);
        expect(short.replace(/&(?:amp|lt|gt);/g, '')).not.toContain('&');
        expect(short).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});

describe('a linked title', () => {
  test.each([
    ['https://a.example/x?a=1&b=2', 'R & <D>', '<https://a.example/x?a=1&amp;b=2|R &amp; &lt;D&gt;>'],
    ['https://a.example/a|b>c', 'x | y\nz', '<https://a.example/a%7Cb%3Ec|x ¦ y z>'],
    ['javascript:alert(1)', 'x', 'x'],
    ['', 'x', 'x'],
    [null, 'x', 'x'],
    [`https://a.example/${'a'.repeat(250)}`, 'x', 'x'],
    ['https://a.example/', ' ', '<https://a.example/|–>'],
  ])('%j with %j is %j', (address, title, expected) => {
    expect(linkTitle(address, title)).toBe(expected);
  });
});

test('accepts https addresses for pictures only', () => {
  expect(toBlockAddress('http://a.example/x.png', ['https:'])).toBeNull();
  expect(toBlockAddress('https://a.example/x y.png', ['https:'])).toBe('https://a.example/x%20y.png');
  expect(toBlockAddress(`https://a.example/${'a'.repeat(3_000)}`)).toBeNull();
});
