import { expect, test } from 'vitest';
import { makeDemoAddresses } from '../../../demo/course/addresses.ts';
import { readConfig } from '../../../src/config.ts';

test.each([
  // Where people go, where the host listens; where the course is, where the host asks.
  ['http://localhost:3000', undefined, 'http://127.0.0.1:3000/demo', 'http://127.0.0.1:3000/demo'],
  ['http://127.0.0.1:3000', '0.0.0.0', 'http://localhost:3000/demo', 'http://127.0.0.1:3000/demo'],
  ['http://localhost:3000', '127.0.0.1', 'http://localhost:3000/demo', 'http://127.0.0.1:3000/demo'],
  ['http://localhost:3000', '::1', 'http://localhost:3000/demo', 'http://[::1]:3000/demo'],
  ['https://skills.example.org', undefined, 'https://skills.example.org/demo', 'http://127.0.0.1:3000/demo'],
])('of %s on %s', (publicUrl, host, browserUrl, serviceUrl) => {
  expect(makeDemoAddresses({ publicUrl, host, port: 3000 })).toMatchObject({ browserUrl, serviceUrl });
});

test.each([
  [{}, true],
  [{ DEMO: '0' }, false],
  [{ PUBLIC_URL: 'https://skills.example.org' }, false],
  [{ PUBLIC_URL: 'https://skills.example.org', DEMO: '1' }, true],
])('with the settings %o the course is there: %s', (settings, hasDemo) => {
  expect(readConfig(settings).hasDemo).toBe(hasDemo);
});
