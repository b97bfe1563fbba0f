import { expect, test } from 'vitest';
import { findLoopbackOrigin, isLoopback } from '../../src/domain/loopback.ts';

test.each([
  ['http://localhost:3000', true],
  ['http://lms.localhost', true],
  ['http://127.0.0.1:3000/demo', true],
  ['http://127.8.9.10', true],
  ['http://[::1]:3000', true],
  ['https://localhost.example.org', false],
  ['https://127.0.0.1.example.org', false],
  ['https://notlocalhost', false],
  ['http://192.168.0.1', false],
])('%s is this machine: %s', (url, expected) => {
  expect(isLoopback(url)).toBe(expected);
});

test.each([
  [undefined, 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://127.0.0.1:3000'],
  ['::1', 'http://[::1]:3000'],
  ['10.0.0.5', 'http://10.0.0.5:3000'],
])('a host that listens on %s reaches itself at %s', (host, expected) => {
  expect(findLoopbackOrigin(host, 3000)).toBe(expected);
});
