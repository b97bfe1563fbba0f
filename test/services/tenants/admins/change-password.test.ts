import { describe, expect, test } from 'vitest';
import {
  actorOf,
  addAdmin,
  codeOf,
  command,
  goodPassword,
  type OpenAdmins,
  openAdmins,
  tokenOf,
} from '../../../helpers/open-admins.ts';

const caller = { address: '192.0.2.7', userAgent: null };
const nextPassword = 'another umbrella tractor';

describe('changing a password', () => {
  async function signedIn(opened: OpenAdmins) {
    const ada = await addAdmin(opened, 'Ada');
    const { token } = await opened.sessions.signIn('Ada', goodPassword, caller);
    const { session } = (await opened.sessions.findSession(token))!;
    const changeTo = (next: string, current = goodPassword) =>
      opened.admins.changePassword(actorOf(ada), ada.id, { current, next, keepSessionId: session.id });
    return { ada, token, changeTo };
  }

  test('keeps this session and ends the others, and the reset links', async () => {
    const opened = openAdmins();
    const { ada, token, changeTo } = await signedIn(opened);
    const other = await opened.sessions.signIn('Ada', goodPassword, caller);
    const reset = await opened.links.createResetLink(command, ada.id);
    opened.pass(1000);
    await changeTo(nextPassword);
    expect(await opened.sessions.findSession(token)).not.toBeNull();
    expect(await opened.sessions.findSession(other.token)).toBeNull();
    expect(await opened.links.findLink(tokenOf(reset))).toBeNull();
    expect(await codeOf(opened.sessions.signIn('Ada', goodPassword, caller))).toBe('SIGN_IN_FAILED');
    expect(await codeOf(opened.sessions.signIn('Ada', nextPassword, caller))).toBe('done');
    expect(await opened.readAudit('admin.password-changed')).toMatchObject([{ actor: actorOf(ada), target: 'Ada' }]);
  });

  test('asks for the current one, ten times at most', async () => {
    const opened = openAdmins();
    const { changeTo } = await signedIn(opened);
    for (let i = 0; i < 10; i++) expect(await codeOf(changeTo(nextPassword, 'wrong'))).toBe('SIGN_IN_FAILED');
    await expect(changeTo(nextPassword)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 900,
    });
    expect(await codeOf(opened.sessions.signIn('Ada', goodPassword, caller))).toBe('done');
    opened.pass(900_000);
    expect(await codeOf(changeTo(nextPassword))).toBe('done');
  });

  test('is not hindered by strangers who fail to sign in', async () => {
    const opened = openAdmins();
    const { changeTo } = await signedIn(opened);
    for (let i = 0; i < 11; i++) await codeOf(opened.sessions.signIn('Ada', 'wrong', caller));
    expect(await codeOf(opened.sessions.signIn('Ada', goodPassword, caller))).toBe('RATE_LIMITED');
    expect(await codeOf(changeTo(nextPassword))).toBe('done');
  });

  test('says why the new one is refused, and uses up no attempt', async () => {
    const opened = openAdmins();
    const { changeTo } = await signedIn(opened);
    for (let i = 0; i < 12; i++) {
      await expect(changeTo('short', 'wrong')).rejects.toMatchObject({
        code: 'FORM_INVALID',
        problems: [{ path: 'password', reason: 'password-too-short' }],
      });
    }
    expect(await codeOf(changeTo(nextPassword))).toBe('done');
  });

  test('twice at once from the same one happens once', async () => {
    const opened = openAdmins();
    const { changeTo } = await signedIn(opened);
    const ends = await Promise.all([codeOf(changeTo(nextPassword)), codeOf(changeTo('umbrella umbrella tractor'))]);
    expect(ends.sort()).toEqual(['CHANGED_MEANWHILE', 'done']);
  });

  test('of nobody, and of one without a password, is refused', async () => {
    const opened = openAdmins();
    const { ada, changeTo } = await signedIn(opened);
    const record = (await opened.store.admins.findAdmin(ada.id))!;
    await opened.store.admins.replaceAdmin({ ...record, passwordHash: null, version: record.version + 1 });
    expect(await codeOf(changeTo(nextPassword, ''))).toBe('SIGN_IN_FAILED');
    const nobody = opened.admins.changePassword(command, 'nobody', {
      current: goodPassword,
      next: nextPassword,
      keepSessionId: '',
    });
    expect(await codeOf(nobody)).toBe('ADMIN_UNKNOWN');
  });
});
