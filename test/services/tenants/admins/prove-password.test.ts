import { describe, expect, test } from 'vitest';
import type { Store } from '../../../../src/ports/store/store.ts';
import type { Passwords } from '../../../../src/services/tenants/admins/passwords.ts';
import {
  addAda,
  addAdmin,
  command,
  goodPassword,
  type OpenAdmins,
  openAdmins,
  tokenOf,
} from '../../../helpers/open-admins.ts';

const MINUTE_MS = 60_000;
const caller = { address: '192.0.2.7', userAgent: 'Firefox' };
const from = (address: string | null) => ({ ...caller, address });
const wrong = 'wrong umbrella tractor';

/** Wrong passwords, and how each ended. */
async function attempt(opened: OpenAdmins, times: number, name: string, address = '192.0.2.7') {
  const ends: string[] = [];
  for (let i = 0; i < times; i++) {
    const end = opened.sessions.signIn(name, wrong, from(address));
    ends.push(await end.then(() => 'signed in').catch((error: { code: string }) => error.code));
  }
  return ends;
}

test('ten failures for a name, known or not, and then not even the right password is looked at', async () => {
  let verified = 0;
  const wrapPasswords = (passwords: Passwords): Passwords => ({
    ...passwords,
    verifyPassword(...given) {
      verified++;
      return passwords.verifyPassword(...given);
    },
  });
  const opened = openAdmins({ wrapPasswords });
  await addAda(opened);
  for (const name of ['Ada Lovelace', 'Nobody']) {
    verified = 0;
    const ends = await attempt(opened, 11, name);
    expect(ends).toEqual([...Array(10).fill('SIGN_IN_FAILED'), 'RATE_LIMITED']);
    const right = opened.sessions.signIn(name.toUpperCase(), goodPassword, from('198.51.100.1'));
    await expect(right).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 900 });
    expect(verified).toBe(10);
  }
});

test('after a quarter of an hour the name is free again, however often it was tried meanwhile', async () => {
  const opened = openAdmins();
  await addAda(opened);
  await attempt(opened, 10, 'Ada Lovelace');
  opened.pass(14 * MINUTE_MS);
  expect(await attempt(opened, 3, 'Ada Lovelace', '198.51.100.1')).toEqual(Array(3).fill('RATE_LIMITED'));
  await expect(opened.sessions.signIn('Ada Lovelace', goodPassword, caller)).rejects.toMatchObject({
    retryAfterSeconds: 60,
  });
  opened.pass(MINUTE_MS);
  await expect(opened.sessions.signIn('Ada Lovelace', goodPassword, caller)).resolves.toBeDefined();
});

test('thirty failures from an address, whatever the names', async () => {
  const opened = openAdmins();
  await addAda(opened);
  for (const name of ['a', 'b', 'c']) await attempt(opened, 10, name);
  const here = opened.sessions.signIn('Ada Lovelace', goodPassword, caller);
  await expect(here).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  const elsewhere = opened.sessions.signIn('Ada Lovelace', goodPassword, from('192.0.2.8'));
  await expect(elsewhere).resolves.toBeDefined();
});

test('a network of IPv6 is one address, and IPv4 in IPv6 is itself', async () => {
  const opened = openAdmins();
  for (let i = 0; i < 30; i++) await attempt(opened, 1, `name ${i}`, `2001:db8:1:2::${i.toString(16)}`);
  expect(await attempt(opened, 1, 'x', '2001:db8:1:2:ffff::1')).toEqual(['RATE_LIMITED']);
  expect(await attempt(opened, 1, 'x', '2001:db8:1:3::1')).toEqual(['SIGN_IN_FAILED']);
  for (let i = 0; i < 30; i++) await attempt(opened, 1, `name ${i}`, '::ffff:192.0.2.7');
  expect(await attempt(opened, 1, 'y', '192.0.2.7')).toEqual(['RATE_LIMITED']);
  expect(await attempt(opened, 1, 'y', '192.0.2.8')).toEqual(['SIGN_IN_FAILED']);
});

test('only failures count: success uses up nothing, and resets nothing', async () => {
  const opened = openAdmins();
  await addAda(opened);
  await attempt(opened, 9, 'Ada Lovelace');
  for (let i = 0; i < 40; i++) await opened.sessions.signIn('Ada Lovelace', goodPassword, caller);
  expect(await attempt(opened, 2, 'Ada Lovelace')).toEqual(['SIGN_IN_FAILED', 'RATE_LIMITED']);
});

test('what is refused for the name does not count for the address', async () => {
  const opened = openAdmins();
  await attempt(opened, 100, 'Ada Lovelace');
  expect(await attempt(opened, 1, 'Grace Hopper')).toEqual(['SIGN_IN_FAILED']);
});

test('a flood at once gets no more guesses than one after the other', async () => {
  let verified = 0;
  const wrapPasswords = (passwords: Passwords): Passwords => ({
    ...passwords,
    verifyPassword(...given) {
      verified++;
      return passwords.verifyPassword(...given);
    },
  });
  const opened = openAdmins({ wrapPasswords });
  await addAda(opened);
  const flood = Array.from({ length: 200 }, (_, i) =>
    opened.sessions.signIn('Ada Lovelace', wrong, from(`203.0.113.${i}`)),
  );
  await Promise.allSettled(flood);
  expect(verified).toBe(10);
  const single = Array.from({ length: 200 }, (_, i) => opened.sessions.signIn(`name ${i}`, wrong, caller));
  await Promise.allSettled(single);
  expect(verified).toBe(40);
});

test('a sign-in that could not be decided counts nothing', async () => {
  let isBroken = true;
  const wrapPasswords = (passwords: Passwords): Passwords => ({
    ...passwords,
    verifyPassword: (...given) =>
      isBroken ? Promise.reject(new Error('no memory')) : passwords.verifyPassword(...given),
  });
  const opened = openAdmins({ wrapPasswords });
  await addAda(opened);
  for (let i = 0; i < 30; i++) {
    await expect(opened.sessions.signIn('Ada Lovelace', goodPassword, caller)).rejects.toThrow('no memory');
  }
  isBroken = false;
  await expect(opened.sessions.signIn('Ada Lovelace', goodPassword, caller)).resolves.toBeDefined();
});

test('success at the end of a window gives the next one nothing', async () => {
  let wait = () => {};
  const wrapPasswords = (passwords: Passwords): Passwords => ({
    ...passwords,
    async verifyPassword(...given) {
      wait();
      return passwords.verifyPassword(...given);
    },
  });
  const opened = openAdmins({ wrapPasswords });
  await addAda(opened);
  wait = () => opened.pass(15 * MINUTE_MS);
  await opened.sessions.signIn('Ada Lovelace', goodPassword, caller);
  wait = () => {};
  expect(await attempt(opened, 11, 'Ada Lovelace')).toContain('RATE_LIMITED');
});

test('neither a password typed as a name nor an address is stored', async () => {
  const windows: string[] = [];
  const wrapStore = (store: Store): Store => ({
    ...store,
    rateCounters: {
      ...store.rateCounters,
      addRatePoints(window, ...given) {
        windows.push(window);
        return store.rateCounters.addRatePoints(window, ...given);
      },
    },
  });
  const opened = openAdmins({ wrapStore });
  await attempt(opened, 1, goodPassword);
  expect(windows).toEqual([
    expect.stringMatching(/^sign-in-address:[\w-]{43}$/),
    expect.stringMatching(/^sign-in-name:[\w-]{43}$/),
  ]);
});

test('whoever is kept from the password by strangers gets in by a link', async () => {
  const opened = openAdmins();
  const id = await addAda(opened);
  await attempt(opened, 30, 'Ada Lovelace');
  const link = await opened.links.createResetLink(command, id);
  const chosen = { kind: 'password', name: '', password: 'another umbrella tractor' } as const;
  await opened.links.useLink(tokenOf(link), chosen, caller.address);
  const { token } = await opened.sessions.beginSession(id, caller);
  expect(await opened.sessions.findSession(token)).not.toBeNull();
});

describe('in a browser in which they have signed in', () => {
  const day = 24 * 60 * MINUTE_MS;
  /** A token of Ada's browser, after strangers have used up her name. */
  async function openTried() {
    const opened = openAdmins();
    await addAda(opened);
    const { browser } = await opened.sessions.signIn('Ada Lovelace', goodPassword, caller);
    for (let i = 0; i < 3; i++) await attempt(opened, 5, 'Ada Lovelace', `203.0.113.${i}`);
    const signIn = (token: string | null, password = goodPassword) =>
      opened.sessions.signIn('ADA lovelace', password, { ...caller, browser: token });
    return { opened, browser: browser.token, signIn };
  }

  test('strangers who try passwords lock nobody out', async () => {
    const { signIn, browser } = await openTried();
    await expect(signIn(null)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(await signIn(browser)).toBeDefined();
  });

  test('guesses are limited, too', async () => {
    const { opened, browser, signIn } = await openTried();
    for (let i = 0; i < 10; i++) await expect(signIn(browser, wrong)).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' });
    await expect(signIn(browser)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    opened.pass(15 * MINUTE_MS);
    expect(await signIn(browser)).toBeDefined();
  });

  test('the token of somebody else, an old one and what is none are of no use', async () => {
    const { opened, browser, signIn } = await openTried();
    await addAdmin(opened, 'Grace Hopper');
    const grace = await opened.sessions.signIn('Grace Hopper', goodPassword, caller);
    for (const token of [grace.browser.token, '', 'v1.00000000.abc', `${browser}a`])
      await expect(signIn(token)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    opened.pass(181 * day);
    await attempt(opened, 10, 'Ada Lovelace');
    await expect(signIn(browser)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});
