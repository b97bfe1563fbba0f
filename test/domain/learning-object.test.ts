import { describe, expect, test } from 'vitest';
import { normalizeObjectAddress } from '../../src/domain/learning-object.ts';

describe('the address for comparing objects', () => {
  test.each([
    ['http://example.org/a', 'https://example.org/a'],
    ['https://www.example.org/a', 'https://example.org/a'],
    ['https://EXAMPLE.org/a', 'https://example.org/a'],
    ['https://example.org/a/', 'https://example.org/a'],
    ['https://example.org', 'https://example.org/'],
    ['https://example.org/a#part', 'https://example.org/a'],
    ['https://example.org/a#:~:text=part', 'https://example.org/a'],
    ['https://example.org/#/', 'https://example.org/'],
    ['https://example.org/#!', 'https://example.org/'],
    ['http://www.example.org/#/course/1/', 'https://example.org/#/course/1'],
    ['https://example.org/a?y=2&x=1', 'https://example.org/a?x=1&y=2'],
    ['https://example.org/a?utm_source=mail&UTM_Medium=x&fbclid=1', 'https://example.org/a'],
    ['https://youtu.be/abc?si=xyz&t=3', 'https://youtu.be/abc?t=3'],
    ['https://example.org:443/a', 'https://example.org/a'],
  ])('%s is %s', (one, other) => {
    expect(normalizeObjectAddress(one)).toBe(normalizeObjectAddress(other));
  });

  test.each([
    ['https://example.org/a', 'https://example.org/A'],
    ['https://example.org/a', 'https://example.org/b'],
    ['https://example.org/a?v=1', 'https://example.org/a?v=2'],
    ['https://example.org/#/course/1', 'https://example.org/#/course/2'],
    ['https://example.org/#!course/1', 'https://example.org/#!course/2'],
    ['https://example.org/#/course/1', 'https://example.org/'],
    ['https://fr.example.org/a', 'https://example.org/a'],
    ['https://example.org:8443/a', 'https://example.org/a'],
    ['ftp://example.org/a', 'https://example.org/a'],
  ])('%s is not %s', (one, other) => {
    expect(normalizeObjectAddress(one)).not.toBe(normalizeObjectAddress(other));
  });

  test('a text that is no web address is unchanged', () => {
    for (const text of ['', 'isbn 123', 'urn:isbn:123', 'mailto:a@example.org'])
      expect(normalizeObjectAddress(text)).toBe(text);
  });

  test('normalizing twice gives the same address', () => {
    const address = normalizeObjectAddress('https://www.example.org/a/?b=1#/course/1/');
    expect(normalizeObjectAddress(`https://${address}`)).toBe(address);
  });
});
