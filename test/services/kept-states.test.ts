import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StandingClock } from '../fakes/clock.ts';
import { type OpenedServices, openServices } from '../helpers/open-services.ts';

const DAY_MS = 24 * 3_600_000;
const ada = { tenantId: 'default', person: 'slack:T1:ada' };
const others = [
  { tenantId: 'default', person: 'slack:T1:eve' },
  { tenantId: 'lyon', person: ada.person },
  // Together these would read like Ada's.
  { tenantId: 'default slack:T1:ada', person: '' },
];

let services: OpenedServices<StandingClock>;
beforeEach(async () => {
  services = await openServices();
});
afterEach(() => services.close());

test('gives back what was kept, as often as it is asked for, for a day', async () => {
  const { keptStates, clock } = services;
  const state = { words: 'docker « été »', page: 3, urls: ['https://example.org/'] };
  const token = await keptStates.keep(ada, state);
  expect(token).toMatch(/^[\w-]{16}$/);
  expect(await keptStates.keep(ada, state)).not.toBe(token);
  clock.advance(DAY_MS - 1);
  for (let i = 0; i < 2; i++) expect(await keptStates.find(ada, token)).toEqual(state);
  clock.advance(1);
  expect(await keptStates.find(ada, token)).toBeNull();
});

test('gives nothing to anybody else, nor for what is no token', async () => {
  const token = await services.keptStates.keep(ada, 'secret');
  for (const owner of others) expect(await services.keptStates.find(owner, token)).toBeNull();
  for (const given of ['', 'x'.repeat(16), `${token} `, token.slice(1)])
    expect(await services.keptStates.find(ada, given)).toBeNull();
});

test('keeps 64 kB of JSON, counted in bytes, and nothing else', async () => {
  const { keptStates } = services;
  const largest = 'a'.repeat(65_534);
  expect(await keptStates.find(ada, await keptStates.keep(ada, largest))).toBe(largest);
  for (const state of [`${largest}a`, 'é'.repeat(33_000), undefined])
    await expect(keptStates.keep(ada, state)).rejects.toMatchObject({ code: 'PARAMETERS_INVALID' });
});

test('lets the first of several through, for each person and each thing', async () => {
  const { keptStates } = services;
  const claims = await Promise.all(Array.from({ length: 5 }, () => keptStates.claim(ada, 'share x 3 C1')));
  expect(claims.filter(Boolean)).toHaveLength(1);
  expect(await keptStates.claim(ada, 'share x 3 C2')).toBe(true);
  for (const owner of others) expect(await keptStates.claim(owner, 'share x 3 C1')).toBe(true);
  services.clock.advance(DAY_MS - 1);
  expect(await keptStates.claim(ada, 'share x 3 C1')).toBe(false);
});

test('what was claimed and given up lets the next one through, of that person only', async () => {
  const { keptStates } = services;
  await keptStates.claim(ada, 'share x');
  for (const owner of others) await keptStates.release(owner, 'share x');
  expect(await keptStates.claim(ada, 'share x')).toBe(false);
  await keptStates.release(ada, 'share x');
  expect(await keptStates.claim(ada, 'share x')).toBe(true);
  await keptStates.release(ada, 'share y');
});
