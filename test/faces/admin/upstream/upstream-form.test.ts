import { expect, test } from 'vitest';
import { readUpstreamAddress } from '../../../../src/faces/admin/upstream/upstream.ts';

test.each([
  ['https://api.example.org', 'https://api.example.org'],
  [' https://API.example.org/ ', 'https://api.example.org'],
  ['https://api.example.org/v1//', 'https://api.example.org/v1'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['https://api.example.org:443/a b', 'https://api.example.org/a%20b'],
])('saves %s as %s', (text, address) => {
  expect(readUpstreamAddress(text, false)).toEqual({ address });
});

test.each([
  ['', 'addressMissing'],
  ['   ', 'addressMissing'],
  ['api.example.org', 'addressNotWeb'],
  ['ftp://api.example.org', 'addressNotWeb'],
  ['javascript:alert(1)', 'addressNotWeb'],
  ['https:api.example.org', 'addressNotWeb'],
  ['https://', 'addressNotWeb'],
  ['https://ada:secret@api.example.org', 'addressPassword'],
  ['https://ada@api.example.org', 'addressPassword'],
  ['https://api.example.org/?key=1', 'addressQuery'],
  ['https://api.example.org/?', 'addressQuery'],
  ['https://api.example.org/#top', 'addressQuery'],
  ['https://api.example.org/learningobject/v2/provider', 'addressPath'],
  ['https://api.example.org/domcomp', 'addressPath'],
  [`https://api.example.org/${'a'.repeat(500)}`, 'addressTooLong'],
])('says what is wrong with %s', (text, problem) => {
  expect(readUpstreamAddress(text, false)).toEqual({ problem });
});

test('leaves the paths of a gateway to the gateway', () => {
  const address = 'https://market.example.org/learningobject/v2';
  expect(readUpstreamAddress(address, true)).toEqual({ address });
});
