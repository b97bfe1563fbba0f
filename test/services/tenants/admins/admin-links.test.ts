import { describe, expect, test } from 'vitest';
import type { Store } from '../../../../src/ports/store/store.ts';
import type { Passwords } from '../../../../src/services/tenants/admins/passwords.ts';
import { tenant } from '../../../contract/store/records.ts';
import {
  actorOf,
  addAdmin,
  byOidc,
  byPassword,
  changeAdmin,
  codeOf,
  command,
  goodPassword,
  openAdmins,
  tokenOf,
} from '../../../helpers/open-admins.ts';

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

const HOUR_MS = 3_600_000;
const subject = 'https://id.example 1234';

/** Lets something happen when the link is consumed already, as another host might. */
function inBetween(between: (store: Store) => Promise<void>): (store: Store) => Store {
  return (store) => ({
    ...store,
    admins: {
      ...store.admins,
      async addAdmin(record) {
        await between(store);
        return store.admins.addAdmin(record);
      },
    },
  });
}

/** Lets something happen when a password is hashed, which takes long. */
function whileHashing(meanwhile: () => Promise<void>): (passwords: Passwords) => Passwords {
  return (passwords) => ({
    ...passwords,
    async hashPassword(password) {
      await meanwhile();
      return passwords.hashPassword(password);
    },
  });
}

describe('a set-up link', () => {
  test('makes the first owner, once, and nothing of its token is kept', async () => {
    const opened = openAdmins();
    const link = (await opened.links.createSetupLink(command))!;
    expect(link.path).toMatch(/^\/admin\/link\/[\w-]{43}$/);
    expect(link.expiresAt).toEqual(new Date('2026-03-02T10:00:00Z'));
    const [listed] = await opened.links.listLinks();
    expect(listed).toMatchObject({ kind: 'setup', role: 'owner', tenants: null, createdBy: 'root' });
    expect(JSON.stringify(listed)).not.toContain(tokenOf(link));

    const ada = await opened.links.useLink(tokenOf(link), byPassword(' Ada  Lovelace '), '192.0.2.7');
    expect(ada).toMatchObject({
      name: 'Ada Lovelace',
      role: 'owner',
      tenants: null,
      hasPassword: true,
      hasOidc: false,
    });
    expect(ada).not.toHaveProperty('passwordHash');
    expect(await codeOf(opened.links.useLink(tokenOf(link), byPassword('Eve'), null))).toBe('LINK_INVALID');
    expect(await opened.links.createSetupLink(command)).toBeNull();
    expect(await opened.readAudit('link.created')).toMatchObject([
      { actor: command, target: 'setup', tenantId: null, details: { role: 'owner', tenants: 'all' } },
    ]);
    expect(await opened.readAudit('admin.joined')).toMatchObject([
      {
        actor: { kind: 'admin', id: ada.id, name: 'Ada Lovelace', address: '192.0.2.7' },
        target: 'Ada Lovelace',
      },
    ]);
  });

  test('ends with the first owner, wherever they came from', async () => {
    const opened = openAdmins();
    const first = (await opened.links.createSetupLink(command))!;
    const second = (await opened.links.createSetupLink(command))!;
    expect(await opened.links.findLink(tokenOf(first))).not.toBeNull();
    await opened.links.useLink(tokenOf(second), byPassword('Ada'), null);
    expect(await opened.links.findLink(tokenOf(first))).toBeNull();
    expect(await opened.links.listLinks()).toEqual([]);
    expect(await codeOf(opened.links.useLink(tokenOf(first), byPassword('Eve'), null))).toBe('LINK_INVALID');
  });

  test('two of them used at once make one owner', async () => {
    const opened = openAdmins();
    const links = [await opened.links.createSetupLink(command), await opened.links.createSetupLink(command)];
    const uses = links.map((link, i) => opened.links.useLink(tokenOf(link!), byPassword(`Ada ${i}`), null));
    expect((await Promise.all(uses.map(codeOf))).sort()).toEqual(['LINK_INVALID', 'done']);
    expect(await opened.admins.countAdmins()).toBe(1);
  });

  test('may lead to an OpenID Connect account', async () => {
    const opened = openAdmins();
    const link = (await opened.links.createSetupLink(command))!;
    const ada = await opened.links.useLink(tokenOf(link), byOidc('Ada'), null);
    expect(ada).toMatchObject({ hasPassword: false, hasOidc: true });
    const caller = { address: null, userAgent: null };
    await expect(opened.sessions.signInByOidc({ subject, name: null, claimed: null }, caller)).resolves.toBeDefined();
  });
});

describe('every link', () => {
  test('ends at its very moment', async () => {
    const opened = openAdmins();
    const { id } = await addAdmin(opened, 'Ada');
    const reset = await opened.links.createResetLink(command, id);
    const invitation = await opened.links.createInvitation(command, { role: 'viewer', tenants: null });
    expect(invitation.expiresAt.getTime() - opened.now().getTime()).toBe(7 * 24 * HOUR_MS);
    opened.pass(24 * HOUR_MS - 1);
    expect(await opened.links.findLink(tokenOf(reset))).toMatchObject({ kind: 'reset', adminId: id });
    opened.pass(1);
    expect(await opened.links.findLink(tokenOf(reset))).toBeNull();
    expect(await codeOf(opened.links.useLink(tokenOf(reset), byPassword('x'), null))).toBe('LINK_INVALID');
    opened.pass(6 * 24 * HOUR_MS - 1);
    expect(await opened.links.findLink(tokenOf(invitation))).not.toBeNull();
    opened.pass(1);
    expect(await opened.links.findLink(tokenOf(invitation))).toBeNull();
  });

  test.each(['', 'x', '../admin', 'A'.repeat(43), 'A'.repeat(1_000_000)])('is not found by %.20j', async (token) => {
    const opened = openAdmins();
    await opened.links.createSetupLink(command);
    expect(await opened.links.findLink(token)).toBeNull();
    expect(await codeOf(opened.links.useLink(token, byPassword('Ada'), null))).toBe('LINK_INVALID');
  });

  test('outlives whatever is wrong with name and password, all of which is said at once', async () => {
    let consumed = 0;
    const wrapStore = (store: Store): Store => ({
      ...store,
      adminLinks: {
        ...store.adminLinks,
        consumeAdminLink(id, now) {
          consumed++;
          return store.adminLinks.consumeAdminLink(id, now);
        },
      },
    });
    const opened = openAdmins({ wrapStore });
    await addAdmin(opened, 'Ada');
    const token = tokenOf(await opened.links.createInvitation(command, { role: 'viewer', tenants: null }));
    const refused = opened.links.useLink(token, byPassword(' ', 'short'), null);
    await expect(refused).rejects.toMatchObject({
      code: 'FORM_INVALID',
      problems: [
        { path: 'name', reason: 'name-empty', problem: expect.any(String) },
        { path: 'password', reason: 'password-too-short', problem: expect.any(String) },
      ],
    });
    await expect(opened.links.useLink(token, byPassword('Grace Hopper', 'gracehopper12'), null)).rejects.toMatchObject({
      problems: [{ reason: 'password-easy' }],
    });
    await expect(opened.links.useLink(token, byPassword('ADA'), null)).rejects.toMatchObject({
      code: 'ADMIN_NAME_TAKEN',
      data: { taken: 'name' },
      problems: [{ path: 'name' }],
    });
    // The set-up link.
    expect(consumed).toBe(1);
    expect(await codeOf(opened.links.useLink(token, byPassword('Grace'), null))).toBe('done');
  });

  test('is used up by a name that is taken in the very instant, and by an error of the store', async () => {
    let between = async (_: Store) => {};
    const opened = openAdmins({ wrapStore: inBetween((store) => between(store)) });
    const ada = await addAdmin(opened, 'Ada');
    const invite = () => opened.links.createInvitation(command, { role: 'viewer', tenants: null });
    const [first, second] = [tokenOf(await invite()), tokenOf(await invite())];
    between = async (store) => {
      const record = (await store.admins.findAdmin(ada.id))!;
      await store.admins.addAdmin({ ...record, id: 'quick', name: 'Grace' });
    };
    expect(await codeOf(opened.links.useLink(first, byPassword('Grace'), null))).toBe('LINK_INVALID');
    between = async () => {
      throw new Error('the disk is full');
    };
    await expect(opened.links.useLink(second, byPassword('Joan'), null)).rejects.toThrow('the disk is full');
    // Never put back: an owner may have taken it back meanwhile.
    expect(await opened.store.adminLinks.listAdminLinks(opened.now())).toEqual([]);
  });

  test('outlives a name that is taken while the password is hashed', async () => {
    let meanwhile = async () => {};
    const opened = openAdmins({ wrapPasswords: whileHashing(() => meanwhile()) });
    const ada = await addAdmin(opened, 'Ada');
    const token = tokenOf(await opened.links.createInvitation(command, { role: 'viewer', tenants: null }));
    meanwhile = async () => {
      const record = (await opened.store.admins.findAdmin(ada.id))!;
      await opened.store.admins.addAdmin({ ...record, id: 'quick', name: 'Grace' });
    };
    expect(await codeOf(opened.links.useLink(token, byPassword('Grace'), null))).toBe('ADMIN_NAME_TAKEN');
    expect(await codeOf(opened.links.useLink(token, byPassword('Joan'), null))).toBe('done');
  });

  test('can be used once, by however many at once', async () => {
    const opened = openAdmins();
    await addAdmin(opened, 'Ada');
    const token = tokenOf(await opened.links.createInvitation(command, { role: 'viewer', tenants: null }));
    const uses = Array.from({ length: 10 }, (_, i) => opened.links.useLink(token, byPassword(`Viewer ${i}`), null));
    const ends = await Promise.all(uses.map(codeOf));
    expect(ends.filter((end) => end === 'done')).toHaveLength(1);
    expect(ends.filter((end) => end === 'LINK_INVALID')).toHaveLength(9);
    expect(await opened.admins.countAdmins()).toBe(2);
  });

  test('can be taken back, once', async () => {
    const opened = openAdmins();
    const ada = await addAdmin(opened, 'Ada');
    const link = await opened.links.createResetLink(command, ada.id);
    const [listed] = await opened.links.listLinks();
    const actor = actorOf(ada);
    await opened.links.revokeLink(actor, listed!.id);
    expect(await opened.links.findLink(tokenOf(link))).toBeNull();
    expect(await codeOf(opened.links.revokeLink(actor, listed!.id))).toBe('LINK_INVALID');
    const [entry, ...more] = await opened.readAudit('link.revoked');
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ actor, target: 'reset: Ada', tenantId: null });
    expect(JSON.stringify(entry)).not.toContain(listed!.id);
  });

  test('is listed newest first', async () => {
    const opened = openAdmins();
    const { id } = await addAdmin(opened, 'Ada');
    for (const role of ['viewer', 'owner'] as const) {
      opened.pass(1000);
      await opened.links.createInvitation(command, { role, tenants: null });
    }
    opened.pass(1000);
    await opened.links.createResetLink(command, id);
    const listed = (await opened.links.listLinks()).map(({ kind, role }) => `${kind} ${role}`);
    expect(listed).toEqual(['reset owner', 'invitation owner', 'invitation viewer']);
  });
});

describe('an invitation', () => {
  test('gives its role and tenants', async () => {
    const opened = openAdmins();
    const ada = await addAdmin(opened, 'Ada');
    const actor = actorOf(ada);
    const link = await opened.links.createInvitation(actor, { role: 'manager', tenants: ['b', 'a', 'b'] });
    expect(await opened.links.findLink(tokenOf(link))).toMatchObject({
      createdBy: 'Ada',
      tenants: ['b', 'a'],
    });
    const grace = await opened.links.useLink(tokenOf(link), byPassword('Grace'), null);
    expect(grace).toMatchObject({ role: 'manager', tenants: ['b', 'a'] });
    const created = (await opened.readAudit('link.created')).filter(({ actor: { id } }) => id === ada.id);
    expect(created).toMatchObject([{ target: 'invitation', details: { role: 'manager', tenants: 'b, a' } }]);
  });

  test.each([
    ['manager', null],
    ['manager', []],
    ['viewer', []],
  ] as const)('for a %s of %j is refused', async (role, tenants) => {
    const opened = openAdmins();
    await expect(opened.links.createInvitation(command, { role, tenants })).rejects.toMatchObject({
      code: 'FORM_INVALID',
      problems: [{ path: 'tenants', reason: 'tenants-missing' }],
    });
    expect(await opened.links.listLinks()).toEqual([]);
  });

  test('for an owner is for every tenant, whatever was chosen', async () => {
    const opened = openAdmins();
    const link = await opened.links.createInvitation(command, { role: 'owner', tenants: ['a'] });
    expect((await opened.links.findLink(tokenOf(link)))!.tenants).toBeNull();
  });

  test('does not take an account that somebody has', async () => {
    const opened = openAdmins();
    await opened.links.useLink(tokenOf((await opened.links.createSetupLink(command))!), byOidc('Ada'), null);
    const link = await opened.links.createInvitation(command, { role: 'viewer', tenants: null });
    await expect(opened.links.useLink(tokenOf(link), byOidc('Eve'), null)).rejects.toMatchObject({
      code: 'ADMIN_NAME_TAKEN',
      data: { taken: 'account' },
    });
    expect(await codeOf(opened.links.useLink(tokenOf(link), byOidc('Eve', `${subject}5`), null))).toBe('done');
  });

  test.each([['c'], ['a', 'c'], ['a', 'leaving']])('for %j is refused: not all are there', async (...ids) => {
    const opened = openAdmins();
    await opened.store.tenants.addTenant(tenant('leaving', { status: 'deleting' }));
    for (const role of ['manager', 'viewer'] as const)
      await expect(opened.links.createInvitation(command, { role, tenants: ids })).rejects.toMatchObject({
        code: 'FORM_INVALID',
        problems: [{ path: 'tenants', reason: 'tenant-gone' }],
      });
    expect(await opened.links.listLinks()).toEqual([]);
  });

  test('does not bring back a tenant that was removed while the password was hashed', async () => {
    let meanwhile = async () => {};
    const opened = openAdmins({ wrapPasswords: whileHashing(() => meanwhile()) });
    await addAdmin(opened, 'Ada');
    const wanted = { role: 'manager', tenants: ['a', 'b'] } as const;
    const [first, second] = [
      tokenOf(await opened.links.createInvitation(command, wanted)),
      tokenOf(await opened.links.createInvitation(command, { ...wanted, tenants: ['b'] })),
    ];
    meanwhile = () => opened.store.tenants.removeTenant('b');
    const grace = await opened.links.useLink(first, byPassword('Grace'), null);
    expect(grace).toMatchObject({ role: 'manager', tenants: ['a'] });
    expect(await opened.store.admins.findAdmin(grace.id)).toMatchObject({ tenants: ['a'] });
    expect(await codeOf(opened.links.useLink(second, byPassword('Joan'), null))).toBe('LINK_INVALID');
  });

  test('gives no tenant that is being removed, and is nothing without its last one', async () => {
    const opened = openAdmins();
    await addAdmin(opened, 'Ada');
    const wanted = { role: 'manager', tenants: ['a', 'b'] } as const;
    const token = tokenOf(await opened.links.createInvitation(command, wanted));
    const leave = async (id: string) =>
      opened.store.tenants.replaceTenant(tenant(id, { status: 'deleting', version: 2 }));
    await leave('b');
    expect(await opened.links.findLink(token)).toMatchObject({ tenants: ['a'] });
    await leave('a');
    expect(await opened.links.findLink(token)).toBeNull();
    expect(await opened.links.listLinks()).toEqual([]);
    expect(await codeOf(opened.links.useLink(token, byPassword('Grace'), null))).toBe('LINK_INVALID');
  });

  test('ends with its maker’s ownership, also when it was stored just after theirs were taken away', async () => {
    let beforeStored = async () => {};
    const opened = openAdmins({
      wrapStore: (store) => ({
        ...store,
        adminLinks: {
          ...store.adminLinks,
          async addAdminLink(link) {
            await beforeStored();
            return store.adminLinks.addAdminLink(link);
          },
        },
      }),
    });
    await addAdmin(opened, 'Ada');
    const grace = await addAdmin(opened, 'Grace');
    beforeStored = () => changeAdmin(opened, grace.id, { role: 'viewer', tenants: null });
    const wanted = { role: 'owner', tenants: null } as const;
    const token = tokenOf(await opened.links.createInvitation(actorOf(grace), wanted));
    expect(await opened.links.findLink(token)).toBeNull();
    expect(await codeOf(opened.links.useLink(token, byPassword('Eve'), null))).toBe('LINK_INVALID');
  });

  test('ends with its maker, removed while the password is hashed by a host that sees no links of theirs', async () => {
    let meanwhile = async () => {};
    const opened = openAdmins({
      wrapPasswords: whileHashing(() => meanwhile()),
      wrapStore: (store) => ({
        ...store,
        adminLinks: {
          ...store.adminLinks,
          listAdminLinks: async () => [],
          removeAdminLinksBy: async () => {},
        },
      }),
    });
    await addAdmin(opened, 'Ada');
    const grace = await addAdmin(opened, 'Grace');
    const wanted = { role: 'owner', tenants: null } as const;
    const token = tokenOf(await opened.links.createInvitation(actorOf(grace), wanted));
    meanwhile = () => opened.admins.removeAdmin(command, grace.id);
    expect(await codeOf(opened.links.useLink(token, byPassword('Eve'), null))).toBe('LINK_INVALID');
    expect(await opened.admins.countAdmins()).toBe(1);
  });
});
