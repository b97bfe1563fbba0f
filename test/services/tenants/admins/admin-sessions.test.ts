import { describe, expect, test } from 'vitest';
import type { AdminRecord, Store } from '../../../../src/ports/store/store.ts';
import { createPasswords, type Passwords } from '../../../../src/services/tenants/admins/passwords.ts';
import { addAda, command, goodPassword, type OpenAdmins, openAdmins, tokenOf } from '../../../helpers/open-admins.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const caller = { address: '192.0.2.7', userAgent: 'Firefox' };
const from = (address: string | null) => ({ ...caller, address });
const wrong = 'wrong umbrella tractor';

async function update(opened: OpenAdmins, id: string, change: Partial<AdminRecord>): Promise<void> {
  const record = await opened.store.admins.findAdmin(id);
  await opened.store.admins.replaceAdmin({ ...record!, ...change, version: record!.version + 1 });
}

describe('signing in', () => {
  test('the session says who it is, when, and from where; its token is kept nowhere', async () => {
    const opened = openAdmins();
    const id = await addAda(opened);
    const { token, expiresAt } = await opened.sessions.signIn('Ada Lovelace', goodPassword, caller);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(expiresAt).toEqual(new Date('2026-03-01T22:00:00Z'));
    const { admin, session } = (await opened.sessions.findSession(token))!;
    expect(admin).toMatchObject({
      id,
      name: 'Ada Lovelace',
      role: 'owner',
      hasPassword: true,
      hasOidc: false,
    });
    expect(admin).not.toHaveProperty('passwordHash');
    expect(admin.lastSignInAt).toEqual(opened.now());
    expect(session).toMatchObject({ ...caller, adminId: id, createdAt: opened.now(), expiresAt });
    expect(session.id).toMatch(/^[0-9a-f]{64}$/);
    expect(session.id).not.toContain(token);
    expect(await opened.readAudit('admin.signed-in')).toMatchObject([
      {
        actor: { kind: 'admin', id, name: 'Ada Lovelace', address: '192.0.2.7' },
        tenantId: null,
        target: 'Ada Lovelace',
        details: { by: 'password' },
      },
    ]);
  });

  test.each(['ada lovelace', ' Ada  Lovelace ', 'ADA LOVELACE', 'Ada\u00a0Lovelace'])(
    'the name may be typed %j',
    async (name) => {
      const opened = openAdmins();
      await addAda(opened);
      await expect(opened.sessions.signIn(name, goodPassword, caller)).resolves.toBeDefined();
    },
  );

  test('a very long name of a browser is cut', async () => {
    const opened = openAdmins();
    await addAda(opened);
    const long = { ...caller, userAgent: 'x'.repeat(5000) };
    const { token } = await opened.sessions.signIn('Ada Lovelace', goodPassword, long);
    expect((await opened.sessions.findSession(token))!.session.userAgent).toBe('x'.repeat(200));
  });

  test('a wrong name and a wrong password have the same answer and cost the same work', async () => {
    const verified: (string | null)[] = [];
    const wrapPasswords = (passwords: Passwords): Passwords => ({
      ...passwords,
      verifyPassword(hashed, password) {
        verified.push(hashed);
        return passwords.verifyPassword(hashed, password);
      },
    });
    const opened = openAdmins({ wrapPasswords });
    const id = await addAda(opened);
    await update(opened, id, {});
    const refuse = (name: string) => opened.sessions.signIn(name, wrong, caller).catch((error) => error);
    const [unknown, known] = [await refuse('Nobody'), await refuse('Ada Lovelace')];
    expect(unknown).toMatchObject({ code: 'SIGN_IN_FAILED', kind: 'unauthenticated' });
    expect({ ...known, message: known.message }).toEqual({ ...unknown, message: unknown.message });
    await update(opened, id, { passwordHash: null, oidcSubject: 'https://id.example a' });
    expect((await refuse('Ada Lovelace')).message).toBe(unknown.message);
    expect(verified).toEqual([null, expect.stringContaining('$argon2id$'), null]);
  });

  test('an empty password opens nobody who signs in elsewhere', async () => {
    const opened = openAdmins();
    await update(opened, await addAda(opened), { passwordHash: null });
    await expect(opened.sessions.signIn('Ada Lovelace', '', caller)).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
    });
  });

  test('a hash of other costs is made anew, also when two sign in at once', async () => {
    const opened = openAdmins();
    const id = await addAda(opened);
    const old = await createPasswords({ memoryCost: 16, timeCost: 1, parallelism: 1 }).hashPassword(goodPassword);
    await update(opened, id, { passwordHash: old });
    const signIn = () => opened.sessions.signIn('Ada Lovelace', goodPassword, caller);
    await Promise.all([signIn(), signIn(), signIn()]);
    const { passwordHash } = (await opened.store.admins.findAdmin(id))!;
    expect(passwordHash).not.toBe(old);
    expect(opened.passwords.isOutdated(passwordHash!)).toBe(false);
    await expect(signIn()).resolves.toBeDefined();
  });

  test('a hash of other costs does not replace a password that was changed meanwhile', async () => {
    let changePassword = async () => {};
    const wrapPasswords = (passwords: Passwords): Passwords => ({
      ...passwords,
      async hashPassword(password) {
        await changePassword();
        return passwords.hashPassword(password);
      },
    });
    const opened = openAdmins({ wrapPasswords });
    const id = await addAda(opened);
    const other = createPasswords({ memoryCost: 16, timeCost: 1, parallelism: 1 });
    await update(opened, id, { passwordHash: await other.hashPassword(goodPassword) });
    const next = await other.hashPassword('another umbrella tractor');
    changePassword = () => update(opened, id, { passwordHash: next });
    await expect(opened.sessions.signIn('Ada Lovelace', goodPassword, caller)).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
    });
    expect((await opened.store.admins.findAdmin(id))!.passwordHash).toBe(next);
  });

  test('ten who sign in as one at once all get in', async () => {
    const opened = openAdmins();
    await addAda(opened);
    const signIns = Array.from({ length: 10 }, () => opened.sessions.signIn('Ada Lovelace', goodPassword, caller));
    const given = await Promise.all(signIns);
    const found = await Promise.all(given.map(({ token }) => opened.sessions.findSession(token)));
    expect(found.every((session) => session !== null)).toBe(true);
    expect(new Set(given.map(({ token }) => token)).size).toBe(10);
  });

  test('a sign-in whose time cannot be noted, because others are always quicker, is one nevertheless', async () => {
    let isBusy = false;
    const wrapStore = (store: Store): Store => ({
      ...store,
      admins: {
        ...store.admins,
        replaceAdmin: async (record) => !isBusy && store.admins.replaceAdmin(record),
      },
    });
    const opened = openAdmins({ wrapStore });
    await addAda(opened);
    isBusy = true;
    const { token } = await opened.sessions.signIn('Ada Lovelace', goodPassword, caller);
    expect(await opened.sessions.findSession(token)).not.toBeNull();
  });

  test('who proved an old password while it was replaced gets no session', async () => {
    let replacePassword = async () => {};
    const wrapPasswords = (passwords: Passwords): Passwords => ({
      ...passwords,
      async verifyPassword(hashed, password) {
        const isRight = await passwords.verifyPassword(hashed, password);
        await replacePassword();
        return isRight;
      },
    });
    const opened = openAdmins({ wrapPasswords });
    const id = await addAda(opened);
    const passwordHash = await opened.passwords.hashPassword('another umbrella tractor');
    replacePassword = () => update(opened, id, { passwordHash });
    await expect(opened.sessions.signIn('Ada Lovelace', goodPassword, caller)).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
    });
    expect(await opened.sessions.listSessions(id)).toEqual([]);
  });
});

describe('a session', () => {
  async function signedIn(opened: OpenAdmins) {
    const id = await addAda(opened);
    const { token } = await opened.sessions.signIn('Ada Lovelace', goodPassword, caller);
    return { id, token };
  }

  test.each(['', 'x', '../..', 'A'.repeat(43), 'A'.repeat(1_000_000)])('is not found by %.20j', async (token) => {
    const opened = openAdmins();
    await addAda(opened);
    expect(await opened.sessions.findSession(token)).toBeNull();
    await expect(opened.sessions.signOut(token)).resolves.toBeUndefined();
  });

  test('ends after two hours without use, to the minute', async () => {
    const opened = openAdmins();
    const { token, id } = await signedIn(opened);
    opened.pass(2 * HOUR_MS - 1);
    expect(await opened.sessions.findSession(token)).not.toBeNull();
    opened.pass(2 * HOUR_MS);
    expect(await opened.sessions.listSessions(id)).toEqual([]);
    expect(await opened.sessions.findSession(token)).toBeNull();
  });

  test('is none where it began while the clock was ahead by more than that', async () => {
    const opened = openAdmins();
    opened.pass(3 * HOUR_MS);
    const { token, id } = await signedIn(opened);
    opened.pass(-3 * HOUR_MS);
    expect(await opened.sessions.listSessions(id)).toEqual([]);
    expect(await opened.sessions.findSession(token)).toBeNull();
  });

  test('ends twelve hours after it began, however busy', async () => {
    const opened = openAdmins();
    const { token } = await signedIn(opened);
    for (let hour = 1; hour < 12; hour++) {
      opened.pass(HOUR_MS);
      expect(await opened.sessions.findSession(token)).not.toBeNull();
    }
    opened.pass(HOUR_MS - 1);
    expect(await opened.sessions.findSession(token)).not.toBeNull();
    opened.pass(1);
    expect(await opened.sessions.findSession(token)).toBeNull();
  });

  test('is noted as used once a minute', async () => {
    const noted: Date[] = [];
    const wrapStore = (store: Store): Store => ({
      ...store,
      adminSessions: {
        ...store.adminSessions,
        noteAdminSessionSeen(id, seenAt) {
          noted.push(seenAt);
          return store.adminSessions.noteAdminSessionSeen(id, seenAt);
        },
      },
    });
    const opened = openAdmins({ wrapStore });
    const { token } = await signedIn(opened);
    for (const ms of [0, 59_999, 1, 0, 59_999, 1]) {
      opened.pass(ms);
      await opened.sessions.findSession(token);
    }
    expect(noted).toEqual([new Date('2026-03-01T10:01:00Z'), new Date('2026-03-01T10:02:00Z')]);
    const { session } = (await opened.sessions.findSession(token))!;
    expect(session.lastSeenAt).toEqual(noted[1]);
  });

  test('sees a change of the role at once, and is over when its administrator is gone', async () => {
    const opened = openAdmins();
    const { token, id } = await signedIn(opened);
    await update(opened, id, { role: 'viewer', tenants: ['a'] });
    expect((await opened.sessions.findSession(token))!.admin).toMatchObject({
      role: 'viewer',
      tenants: ['a'],
    });
    await opened.store.admins.removeAdmin(id);
    expect(await opened.sessions.findSession(token)).toBeNull();
    expect(await opened.sessions.listSessions(id)).toEqual([]);
  });

  test('is over by signing out; others go on', async () => {
    const opened = openAdmins();
    const { token } = await signedIn(opened);
    const other = await opened.sessions.signIn('Ada Lovelace', goodPassword, caller);
    await opened.sessions.signOut(token);
    expect(await opened.sessions.findSession(token)).toBeNull();
    expect(await opened.sessions.findSession(other.token)).not.toBeNull();
  });

  test('can be ended alone, is audited, and only as one of this administrator', async () => {
    const opened = openAdmins();
    const { token, id } = await signedIn(opened);
    const other = await opened.sessions.signIn('Ada Lovelace', goodPassword, caller);
    const { admin, session } = (await opened.sessions.findSession(other.token))!;
    await opened.sessions.endSession(command, { ...admin, id: 'somebody else' }, session.id);
    expect(await opened.sessions.findSession(other.token)).not.toBeNull();
    await opened.sessions.endSession(command, admin, session.id);
    await opened.sessions.endSession(command, admin, session.id);
    expect(await opened.sessions.findSession(other.token)).toBeNull();
    expect(await opened.sessions.findSession(token)).not.toBeNull();
    expect(await opened.sessions.listSessions(id)).toHaveLength(1);
    expect(await opened.readAudit('admin.session-ended')).toMatchObject([{ actor: command, target: 'Ada Lovelace' }]);
  });

  test('signing out everywhere ends all of one administrator, and nobody else’s', async () => {
    const opened = openAdmins();
    const { token, id } = await signedIn(opened);
    const invitation = await opened.links.createInvitation(command, { role: 'owner', tenants: null });
    const grace = { kind: 'password', name: 'Grace', password: goodPassword } as const;
    const graceId = (await opened.links.useLink(tokenOf(invitation), grace, null)).id;
    const other = await opened.sessions.beginSession(graceId, caller);
    await opened.sessions.signIn('Ada Lovelace', goodPassword, caller);
    opened.pass(1000);
    const found = await opened.sessions.findSession(token);
    await opened.sessions.signOutEverywhere(found!, '192.0.2.9');
    expect((await opened.store.admins.findAdmin(id))!.sessionsValidFrom).toEqual(opened.now());
    expect(await opened.store.adminSessions.listAdminSessions(id, opened.now())).toEqual([]);
    expect(await opened.sessions.listSessions(id)).toEqual([]);
    expect(await opened.sessions.findSession(token)).toBeNull();
    expect(await opened.sessions.findSession(other.token)).not.toBeNull();
    expect(await opened.readAudit('admin.signed-out-everywhere')).toMatchObject([
      { actor: { id, address: '192.0.2.9' }, target: 'Ada Lovelace' },
    ]);
    const again = await opened.sessions.signIn('Ada Lovelace', goodPassword, caller);
    expect(await opened.sessions.findSession(again.token)).not.toBeNull();
  });

  test('that began before its administrator’s sessions were ended is over, even where it is still stored', async () => {
    const opened = openAdmins();
    const { token, id } = await signedIn(opened);
    opened.pass(1000);
    await update(opened, id, { sessionsValidFrom: opened.now() });
    expect(await opened.sessions.findSession(token)).toBeNull();
    expect(await opened.sessions.listSessions(id)).toEqual([]);
  });

  test('begins validly on a host whose clock is behind that of the host that ended the others', async () => {
    const opened = openAdmins();
    const { id } = await signedIn(opened);
    await update(opened, id, { sessionsValidFrom: new Date(opened.now().getTime() + 5000) });
    const { token } = await opened.sessions.beginSession(id, caller);
    expect(await opened.sessions.findSession(token)).not.toBeNull();
  });

  test('of nobody cannot begin', async () => {
    const opened = openAdmins();
    await expect(opened.sessions.beginSession('nobody', caller)).rejects.toMatchObject({
      code: 'ADMIN_UNKNOWN',
    });
  });

  test('lists come with the last seen first', async () => {
    const opened = openAdmins();
    const { token, id } = await signedIn(opened);
    opened.pass(MINUTE_MS);
    await opened.sessions.signIn('Ada Lovelace', goodPassword, from('192.0.2.8'));
    opened.pass(MINUTE_MS);
    await opened.sessions.findSession(token);
    const addresses = (await opened.sessions.listSessions(id)).map(({ address }) => address);
    expect(addresses).toEqual(['192.0.2.7', '192.0.2.8']);
  });
});

describe('by OpenID Connect', () => {
  const subject = 'https://id.example 1234';

  test('whoever has the account signs in', async () => {
    const opened = openAdmins();
    const id = await addAda(opened);
    await update(opened, id, { oidcSubject: subject });
    const { token } = await opened.sessions.signInByOidc({ subject, name: null, claimed: null }, caller);
    expect((await opened.sessions.findSession(token))!.admin).toMatchObject({ id, hasOidc: true });
    expect(await opened.readAudit('admin.signed-in')).toMatchObject([{ details: { by: 'oidc' } }]);
  });

  test.each(['https://id.example 1', 'https://other.example 1234', ''])('the account %j is nobody', async (other) => {
    const opened = openAdmins();
    await update(opened, await addAda(opened), { oidcSubject: subject });
    await expect(
      opened.sessions.signInByOidc({ subject: other, name: null, claimed: null }, caller),
    ).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
    });
  });
});
