import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ShelfOwner } from '../../../src/ports/store/store.ts';
import type { StandingClock } from '../../fakes/clock.ts';
import { eraseData, type OpenedServices, openServices } from '../../helpers/open-services.ts';

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
  const { savedStates, clock } = services;
  const state = { words: 'docker « été »', page: 3, urls: ['https://example.org/'] };
  const token = await savedStates.keep(ada, state);
  expect(token).toMatch(/^[\w-]{16}$/);
  expect(await savedStates.keep(ada, state)).not.toBe(token);
  clock.advance(DAY_MS - 1);
  for (let i = 0; i < 2; i++) expect(await savedStates.find(ada, token)).toEqual(state);
  clock.advance(1);
  expect(await savedStates.find(ada, token)).toBeNull();
});

test('gives nothing to anybody else, nor for what is no token', async () => {
  const token = await services.savedStates.keep(ada, 'secret');
  for (const owner of others) expect(await services.savedStates.find(owner, token)).toBeNull();
  for (const given of ['', 'x'.repeat(16), `${token} `, token.slice(1)])
    expect(await services.savedStates.find(ada, given)).toBeNull();
});

test('keeps 64 kB of JSON, counted in bytes, and nothing else', async () => {
  const { savedStates } = services;
  const largest = 'a'.repeat(65_534);
  expect(await savedStates.find(ada, await savedStates.keep(ada, largest))).toBe(largest);
  for (const state of [`${largest}a`, 'é'.repeat(33_000), undefined])
    await expect(savedStates.keep(ada, state)).rejects.toMatchObject({ code: 'PARAMETERS_INVALID' });
});

test('lets the first of several through, for each person and each thing', async () => {
  const { savedStates } = services;
  const claims = await Promise.all(Array.from({ length: 5 }, () => savedStates.claim(ada, 'share x 3 C1')));
  expect(claims.filter(Boolean)).toHaveLength(1);
  expect(await savedStates.claim(ada, 'share x 3 C2')).toBe(true);
  for (const owner of others) expect(await savedStates.claim(owner, 'share x 3 C1')).toBe(true);
  services.clock.advance(DAY_MS - 1);
  expect(await savedStates.claim(ada, 'share x 3 C1')).toBe(false);
  services.clock.advance(1);
  expect(await savedStates.claim(ada, 'share x 3 C1')).toBe(true);
});

test('lets the next one through after the time that was asked for', async () => {
  const { savedStates, clock } = services;
  expect(await savedStates.isClaimed(ada, 'share x')).toBe(false);
  await savedStates.claim(ada, 'share x', 1_000);
  clock.advance(999);
  expect(await savedStates.isClaimed(ada, 'share x')).toBe(true);
  expect(await savedStates.isClaimed(others[0]!, 'share x')).toBe(false);
  expect(await savedStates.claim(ada, 'share x')).toBe(false);
  clock.advance(1);
  expect(await savedStates.isClaimed(ada, 'share x')).toBe(false);
  expect(await savedStates.claim(ada, 'share x')).toBe(true);
});

describe('forgetting', () => {
  async function keep(owner: ShelfOwner): Promise<string> {
    const { savedStates } = services;
    await savedStates.claim(owner, 'share x');
    await savedStates.addVersion(owner, 'a b', { number: 1, state: 'x' });
    return savedStates.keep(owner, 'x');
  }

  async function has(owner: ShelfOwner, token: string): Promise<boolean[]> {
    const { savedStates } = services;
    const newest = await savedStates.findNewest(owner, 'a b', { number: 0, state: '' });
    const isClaimed = await savedStates.isClaimed(owner, 'share x');
    return [(await savedStates.find(owner, token)) !== null, newest.number === 1, isClaimed];
  }

  const all = [true, true, true];
  const none = [false, false, false];

  test('somebody takes all that is kept of them, and nothing of anybody else', async () => {
    const kept = [ada, ...others, { ...ada, person: `${ada.person}2` }, { ...ada, person: 'a b' }];
    const tokens: string[] = [];
    for (const owner of kept) tokens.push(await keep(owner));
    await eraseData(services, ada);
    expect(await has(ada, tokens[0]!)).toEqual(none);
    for (const [i, owner] of kept.slice(1).entries()) expect(await has(owner, tokens[i + 1]!)).toEqual(all);
    await eraseData(services, { ...ada, person: 'a b' });
    expect(await has({ ...ada, person: 'a b' }, tokens.at(-1)!)).toEqual(none);
  });

  test('everyone whose name begins so takes theirs', async () => {
    const left = [
      { ...ada, person: 'slack:T12:ada' },
      { ...ada, tenantId: 'lyon' },
    ];
    const tokens = [await keep(ada), await keep(others[0]!)];
    const tokensLeft = [await keep(left[0]!), await keep(left[1]!)];
    await services.people.forgetAll('default', 'slack:T1:');
    expect(await has(ada, tokens[0]!)).toEqual(none);
    expect(await has(others[0]!, tokens[1]!)).toEqual(none);
    for (const [i, owner] of left.entries()) expect(await has(owner, tokensLeft[i]!)).toEqual(all);
  });
});

test('what was claimed and given up lets the next one through, of that person only', async () => {
  const { savedStates } = services;
  await savedStates.claim(ada, 'share x');
  for (const owner of others) await savedStates.release(owner, 'share x');
  expect(await savedStates.claim(ada, 'share x')).toBe(false);
  await savedStates.release(ada, 'share x');
  expect(await savedStates.claim(ada, 'share x')).toBe(true);
  await savedStates.release(ada, 'share y');
});

test('of several that follow on the same version one is kept, and the newest is found by its person for a day', async () => {
  const { savedStates, clock } = services;
  const first = { number: 0, state: 'none' };
  expect(await savedStates.findNewest(ada, 'list', first)).toEqual(first);
  const added = await Promise.all(
    ['a', 'b', 'c'].map((state) => savedStates.addVersion(ada, 'list', { number: 1, state })),
  );
  expect(added.filter(Boolean)).toHaveLength(1);
  await savedStates.addVersion(ada, 'list', { number: 2, state: { words: 'd' } });
  expect(await savedStates.findNewest(ada, 'list', first)).toEqual({ number: 2, state: { words: 'd' } });
  expect(await savedStates.findNewest(ada, 'another', first)).toEqual(first);
  for (const owner of others) expect(await savedStates.findNewest(owner, 'list', first)).toEqual(first);
  clock.advance(DAY_MS);
  expect(await savedStates.findNewest(ada, 'list', first)).toEqual(first);
});
