import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/ports/store/store.ts';
import {
  addAdmin,
  byOidc,
  byPassword,
  codeOf,
  command,
  goodPassword,
  openAdmins,
  tokenOf,
} from '../../helpers/open-admins.ts';

describe('a reset link', () => {
  const caller = { address: '192.0.2.7', userAgent: null };

  test('gives a new password, keeps name and rights, and ends all sessions', async () => {
    const opened = openAdmins();
    const ada = await addAdmin(opened, 'Ada');
    const before = await opened.sessions.signIn('Ada', goodPassword, caller);
    const link = await opened.links.createResetLink(command, ada.id);
    const next = 'another umbrella tractor';
    const reset = await opened.links.useLink(tokenOf(link), byPassword('Mallory', next), '192.0.2.9');
    expect(reset).toMatchObject({ id: ada.id, name: 'Ada', role: 'owner', sessionsValidFrom: opened.now() });
    expect(await opened.sessions.findSession(before.token)).toBeNull();
    expect(await codeOf(opened.sessions.signIn('Ada', goodPassword, caller))).toBe('SIGN_IN_FAILED');
    expect(await codeOf(opened.sessions.signIn('Ada', next, caller))).toBe('done');
    expect(await opened.readAudit('admin.password-changed')).toMatchObject([
      {
        actor: { kind: 'admin', id: ada.id, name: 'Ada', address: '192.0.2.9' },
        target: 'Ada',
        details: { by: 'link' },
      },
    ]);
  });

  test('ends sessions also where the store has them still', async () => {
    const wrapStore = (store: Store): Store => ({
      ...store,
      adminSessions: { ...store.adminSessions, removeAdminSessions: async () => {} },
    });
    const opened = openAdmins({ wrapStore });
    const ada = await addAdmin(opened, 'Ada');
    const before = await opened.sessions.signIn('Ada', goodPassword, caller);
    opened.pass(1);
    const link = await opened.links.createResetLink(command, ada.id);
    await opened.links.useLink(tokenOf(link), byPassword(''), null);
    expect(await opened.sessions.findSession(before.token)).toBeNull();
  });

  test('leaves a session that begins with it valid, in the same instant', async () => {
    const opened = openAdmins();
    const ada = await addAdmin(opened, 'Ada');
    const link = await opened.links.createResetLink(command, ada.id);
    await opened.links.useLink(tokenOf(link), byPassword(''), null);
    const { token } = await opened.sessions.beginSession(ada.id, caller);
    expect(await opened.sessions.findSession(token)).not.toBeNull();
  });

  test('ends the other reset links of the same person', async () => {
    const opened = openAdmins();
    const ada = await addAdmin(opened, 'Ada');
    const grace = await addAdmin(opened, 'Grace');
    const [one, two, other] = [
      await opened.links.createResetLink(command, ada.id),
      await opened.links.createResetLink(command, ada.id),
      await opened.links.createResetLink(command, grace.id),
    ];
    await opened.links.useLink(tokenOf(one), byPassword(''), null);
    expect(await opened.links.findLink(tokenOf(two))).toBeNull();
    expect(await opened.links.findLink(tokenOf(other))).not.toBeNull();
  });

  test('refuses a password made of the name it keeps, and outlives it', async () => {
    const opened = openAdmins();
    const ada = await addAdmin(opened, 'Ada Lovelace');
    const token = tokenOf(await opened.links.createResetLink(command, ada.id));
    const refused = opened.links.useLink(token, byPassword('Mallory', 'adalovelace12'), null);
    await expect(refused).rejects.toMatchObject({ problems: [{ reason: 'password-easy' }] });
    expect(await codeOf(opened.links.useLink(token, byPassword(''), null))).toBe('done');
  });

  test('may move someone to an OpenID Connect account, without a password from then on', async () => {
    const opened = openAdmins();
    const ada = await addAdmin(opened, 'Ada');
    const grace = await addAdmin(opened, 'Grace');
    const link = () => opened.links.createResetLink(command, ada.id);
    expect(await opened.links.useLink(tokenOf(await link()), byOidc(''), null)).toMatchObject({
      hasPassword: false,
      hasOidc: true,
    });
    expect(await codeOf(opened.sessions.signIn('Ada', goodPassword, caller))).toBe('SIGN_IN_FAILED');
    // The same account again is no other's.
    expect(await codeOf(opened.links.useLink(tokenOf(await link()), byOidc(''), null))).toBe('done');
    const theirs = await opened.links.createResetLink(command, grace.id);
    expect(await codeOf(opened.links.useLink(tokenOf(theirs), byOidc(''), null))).toBe('ADMIN_NAME_TAKEN');
    expect(await opened.links.useLink(tokenOf(await link()), byPassword(''), null)).toMatchObject({
      hasPassword: true,
      hasOidc: true,
    });
  });

  test('is for somebody who exists', async () => {
    const opened = openAdmins();
    await addAdmin(opened, 'Ada');
    const grace = await addAdmin(opened, 'Grace');
    expect(await codeOf(opened.links.createResetLink(command, 'nobody'))).toBe('ADMIN_UNKNOWN');
    const token = tokenOf(await opened.links.createResetLink(command, grace.id));
    await opened.store.admins.removeAdmin(grace.id);
    expect(await opened.links.findLink(token)).toBeNull();
    expect(await codeOf(opened.links.useLink(token, byPassword(''), null))).toBe('LINK_INVALID');
  });
});
