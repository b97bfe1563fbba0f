import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPictureTokens } from '../../../../src/services/catalogue/pictures/pictures.ts';

const [old, current] = [Buffer.from('the key before'), Buffer.from('the key now')];
const tokens = createPictureTokens([current]);

test('a token says which picture it is for, and fits into a path', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), (address) => {
      const token = tokens.write(address);
      expect(token).toMatch(/^[\w.-]+$/);
      expect(tokens.read(token)).toBe(address);
    }),
  );
});

test('one of another key, or for another address, is none; one of the key before still is', () => {
  const address = 'https://a.example/p.png';
  const token = createPictureTokens([old]).write(address);
  expect(tokens.read(token)).toBeNull();
  expect(createPictureTokens([current, old]).read(token)).toBe(address);
  const [, signature] = tokens.write(address).split('.');
  const other = Buffer.from('http://127.0.0.1/admin').toString('base64url');
  for (const made of [`${other}.${signature}`, `${other}.`, other, '', '.', 'x'.repeat(5_000), '../../secret.key'])
    expect(tokens.read(made)).toBeNull();
});
