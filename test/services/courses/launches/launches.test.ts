import { randomUUID } from 'node:crypto';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Launch } from '../../../../src/domain/lti/launch.ts';
import { createLaunches, type PendingLogin } from '../../../../src/services/courses/launches/launches.ts';
import { createKeyring } from '../../../../src/services/host/keyring.ts';
import type { StandingClock } from '../../../fakes/clock.ts';
import { type OpenedServices, openServices, SECRET } from '../../../helpers/open-services.ts';
import { anyPlatform, linkLaunch, makeLaunch } from '../launch-samples.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const invalid = { code: 'LAUNCH_INVALID', kind: 'unauthenticated' };

let services: OpenedServices<StandingClock>;
beforeEach(async () => {
  services = await openServices();
});
afterEach(() => services.close());

const launchOf = (overrides: Partial<Launch> = {}) =>
  makeLaunch({ ...anyPlatform, id: 'registration-1' }, { clock: services.clock, ...overrides });
const keep = (overrides: Partial<Launch> = {}) => services.launches.keepLaunch(launchOf(overrides));

const login: PendingLogin = {
  nonce: 'nonce-1',
  registrationId: 'registration-1',
  bindingHash: 'a'.repeat(64),
  storageTarget: '_parent',
};

describe('a login', () => {
  test('is found under its state, and taken away once', async () => {
    const { launches } = services;
    const state = await launches.beginLogin(login);
    expect(state).toMatch(/^[\w-]{43}$/);
    for (let i = 0; i < 2; i++) expect(await launches.findLogin(state)).toEqual(login);
    const taken = await Promise.all([launches.consumeLogin(state), launches.consumeLogin(state)]);
    expect(taken.filter((each) => each !== null)).toEqual([login]);
    expect(await launches.findLogin(state)).toBeNull();
  });

  test('has a state of its own each time', async () => {
    const states = await Promise.all([1, 2].map(() => services.launches.beginLogin(login)));
    expect(new Set(states).size).toBe(2);
  });

  test('waits for ten minutes', async () => {
    const { launches, clock } = services;
    const state = await launches.beginLogin(login);
    clock.advance(10 * MINUTE_MS - 1);
    expect(await launches.findLogin(state)).toEqual(login);
    clock.advance(1);
    expect(await launches.findLogin(state)).toBeNull();
    expect(await launches.consumeLogin(state)).toBeNull();
  });

  test('is none under a state that was never given, such as the id of a launch', async () => {
    const id = randomUUID();
    await keep({ id });
    for (const state of ['', 'x', id]) expect(await services.launches.consumeLogin(state)).toBeNull();
  });
});

describe('attempts', () => {
  test('are 3,000 in a minute from one address', async () => {
    const { launches, clock } = services;
    for (let i = 0; i < 3_000; i++) await launches.countAttempt('192.0.2.1');
    clock.advance(20_000);
    await expect(launches.countAttempt('192.0.2.1')).rejects.toMatchObject({
      code: 'LTI_THROTTLED',
      kind: 'rate_limited',
      retryAfterSeconds: 40,
    });
    await launches.countAttempt('192.0.2.2');
    clock.advance(40_000);
    await launches.countAttempt('192.0.2.1');
  });

  test('count the addresses of one IPv6 network together', async () => {
    const { launches } = services;
    for (let i = 0; i < 3_000; i++) await launches.countAttempt(`2001:db8:1:2::${i.toString(16)}`);
    await expect(launches.countAttempt('2001:db8:1:2:3::')).rejects.toMatchObject({ code: 'LTI_THROTTLED' });
    await launches.countAttempt('2001:db8:1:3::');
  });

  test('tidy away logins that are over, also where nothing comes of any', async () => {
    const { launches, clock, file } = services;
    await launches.beginLogin(login);
    clock.advance(2 * HOUR_MS);
    for (let i = 0; i < 300; i++) {
      await launches.countAttempt('192.0.2.1');
      await launches.beginLogin(login);
    }
    const database = new Database(file, { readonly: true });
    onTestFinished(() => void database.close());
    expect(database.prepare('SELECT count(*) AS left FROM nonces').get()).toMatchObject({ left: 300 });
  });
});

describe('a launch', () => {
  test('is given for its token as it was', async () => {
    const launch = launchOf({ custom: { placement: 'ä' }, expiresAt: new Date('2026-03-01T11:00:00Z') });
    const token = await services.launches.keepLaunch(launch);
    expect(token).toMatch(/^[\w.-]+$/);
    expect(token).not.toContain(launch.id);
    for (let i = 0; i < 2; i++) expect(await services.launches.getLaunch(token, 'deep-linking')).toEqual(launch);
  });

  test('of one kind is none of the other', async () => {
    const { launches } = services;
    const [choice, link] = [await keep(), await keep(linkLaunch)];
    await expect(launches.getLaunch(choice, 'resource-link')).rejects.toMatchObject(invalid);
    await expect(launches.answerOnce(link, async () => 'answer')).rejects.toMatchObject(invalid);
    expect(await launches.getLaunch(link, 'resource-link')).toMatchObject(linkLaunch);
  });

  test.each([
    ['deep-linking', {}, 4 * HOUR_MS],
    ['resource-link', linkLaunch, 12 * HOUR_MS],
  ] as const)('of the kind %s ends in time, whatever it says itself', async (audience, overrides, lastsMs) => {
    const { launches, clock } = services;
    const token = await keep(overrides);
    const end = clock.now().getTime() + lastsMs;
    clock.advance(lastsMs - 1);
    expect((await launches.getLaunch(token, audience)).expiresAt.getTime()).toBe(end);
    clock.advance(1);
    await expect(launches.getLaunch(token, audience)).rejects.toMatchObject(invalid);
  });

  test('ends earlier where it says so', async () => {
    const { launches, clock } = services;
    const token = await keep({ expiresAt: new Date(clock.now().getTime() + MINUTE_MS) });
    clock.advance(MINUTE_MS);
    await expect(launches.getLaunch(token, 'deep-linking')).rejects.toMatchObject(invalid);
  });

  test('is ended by its answer, which all who ask for it at once or again get', async () => {
    const { launches, clock } = services;
    const token = await keep();
    let made = 0;
    const answer = () => launches.answerOnce(token, async () => `answer ${++made}`);
    expect(await Promise.all([answer(), answer(), answer()])).toEqual(Array(3).fill('answer 1'));
    await expect(launches.getLaunch(token, 'deep-linking')).rejects.toMatchObject(invalid);
    const launch = await launches.getAnsweredLaunch(token);
    expect(launch.launchedAt).toEqual(clock.now());
    clock.advance(5 * MINUTE_MS - 1);
    expect(await answer()).toBe('answer 1');
    clock.advance(1);
    await expect(answer()).rejects.toMatchObject(invalid);
    await expect(launches.getAnsweredLaunch(token)).rejects.toMatchObject(invalid);
  });

  test('goes on where its answer could not be made', async () => {
    const { launches } = services;
    const token = await keep();
    await expect(launches.getAnsweredLaunch(token)).rejects.toMatchObject(invalid);
    const failing = launches.answerOnce(token, () => Promise.reject(new Error('No key.')));
    await expect(failing).rejects.toThrow('No key.');
    await launches.getLaunch(token, 'deep-linking');
    expect(await launches.answerOnce(token, async () => 'answer')).toBe('answer');
  });

  test('is kept once', async () => {
    const id = randomUUID();
    await keep({ id });
    await expect(keep({ id })).rejects.toMatchObject(invalid);
  });

  test('is none for what is no token of this host', async () => {
    const token = await keep();
    const middle = Math.floor(token.length / 2);
    const changed = token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1);
    const id = randomUUID();
    const { store, usage, clock } = services;
    const stranger = createLaunches({
      nonces: store.nonces,
      rateCounters: store.rateCounters,
      usage,
      clock,
      keyring: createKeyring(['x'.repeat(32)]),
    });
    const foreign = await stranger.keepLaunch(launchOf({ id }));
    const sealed = createKeyring([SECRET]).seal(id, 'something else');
    for (const other of ['', 'x', changed, foreign, sealed, id])
      await expect(services.launches.getLaunch(other, 'deep-linking')).rejects.toMatchObject(invalid);
  });

  test('that is too long is not kept', async () => {
    const custom = { all: 'é'.repeat(33_000) };
    await expect(keep({ custom })).rejects.toMatchObject({ code: 'PARAMETERS_INVALID' });
    expect(await keep({ custom: { all: 'é'.repeat(30_000) } })).toMatch(/^v1\./);
  });

  test('is counted', async () => {
    await keep();
    await keep(linkLaunch);
    const { totals } = await services.usage.report(['default'], 1);
    expect(totals.launches).toBe(2);
  });
});
