import { expect, test } from 'vitest';
import { parseCatalogAddresses } from '../../src/domain/catalog-addresses.ts';

test('several nodes share user, password and prefix', () => {
  expect(parseCatalogAddresses('https://a:b%40c@one:9200/shared, https://a:b%40c@two:9200/shared')).toEqual({
    nodes: ['https://one:9200', 'https://two:9200'],
    user: { name: 'a', password: 'b@c' },
    prefix: 'shared',
  });
  expect(parseCatalogAddresses('http://localhost:9200/')).toEqual({
    nodes: ['http://localhost:9200'],
    prefix: 'skilldock',
  });
});

test.each([
  'localhost',
  'ftp://one',
  'https://one,http://two',
  'https://a:b@one,https://two',
  'https://one/Upper',
  'https://one/a?b=c',
  'https://a:%zz@one',
  '',
])('%s is refused', (list) => {
  expect(parseCatalogAddresses(list)).toBeNull();
});
