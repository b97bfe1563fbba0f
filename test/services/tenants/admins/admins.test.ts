import { describe, expect, test } from 'vitest';
import { isAdminRoleAtLeast } from '../../../../src/domain/admin.ts';
import { tenant } from '../../../contract/store/records.ts';
import {
  actorOf,
  addAdmin,
  changeAdmin,
  codeOf,
  command,
  goodPassword,
  openAdmins,
  tokenOf,
} from '../../../helpers/open-admins.ts';

const caller = { address: '192.0.2.7', userAgent: null };
const rightNow = { page: 0, pageSize: 10, search: '', sort: 'name', descending: false } as const;

describe('looking', () => {
  test('shows nobody’s password hash or account', async () => {
    const opened = openAdmins();
    const ada = await addAdmin(opened, 'Ada');
    await addAdmin(opened, 'Grace', { role: 'viewer', tenants: null });
    const { items, total } = await opened.admins.listAdmins(rightNow);
    expect(total).toBe(2);
    expect(items.map(({ name }) => name)).toEqual(['Ada', 'Grace']);
    for (const shown of [...items, await opened.admins.findAdmin(ada.id)]) {
      expect(shown).toMatchObject({ hasPassword: true, hasOidc: false });
      expect(JSON.stringify(shown)).not.toMatch(/argon2|passwordHash|oidcSubject/);
    }
    expect(await opened.admins.findAdmin('nobody')).toBeNull();
    expect(await opened.admins.countAdmins()).toBe(2);
  });
});

describe('changing somebody', () => {
  test('is in the audit trail with what it was before', async () => {
    const opened = openAdmins();
    const ada = await addAdmin(opened, 'Ada');
    const grace = await addAdmin(opened, 'Grace', { role: 'viewer', tenants: null });
    const wanted = { version: grace.version, role: 'manager', tenants: ['a', 'b'] } as const;
    await opened.admins.changeAdmin(actorOf(ada), grace.id, wanted);
    expect(await opened.admins.findAdmin(grace.id)).toMatchObject({ role: 'manager', tenants: ['a', 'b'] });
    expect(await opened.readAudit('admin.changed')).toMatchObject([
      {
        actor: actorOf(ada),
        target: 'Grace',
        details: { role: 'manager', tenants: 'a, b', roleBefore: 'viewer', tenantsBefore: 'all' },
      },
    ]);
  });

  test('acts at once on who is signed in', async () => {
    const opened = openAdmins();
    await addAdmin(opened, 'Ada');
    const grace = await addAdmin(opened, 'Grace');
    const { token } = await opened.sessions.beginSession(grace.id, caller);
    await changeAdmin(opened, grace.id, { role: 'viewer', tenants: ['a'] });
    const { admin } = (await opened.sessions.findSession(token))!;
    expect(admin).toMatchObject({ role: 'viewer', tenants: ['a'] });
    expect(isAdminRoleAtLeast(admin.role, 'manager')).toBe(false);
  });

  test('is refused when somebody else was quicker', async () => {
    const opened = openAdmins();
    await addAdmin(opened, 'Ada');
    const { id, version } = await addAdmin(opened, 'Grace', { role: 'viewer', tenants: null });
    await changeAdmin(opened, id, { role: 'manager', tenants: ['a'] });
    const late = opened.admins.changeAdmin(command, id, { version, role: 'owner', tenants: null });
    await expect(late).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' });
    expect(await opened.admins.findAdmin(id)).toMatchObject({ role: 'manager' });
    const both = [
      changeAdmin(opened, id, { role: 'viewer', tenants: null }),
      changeAdmin(opened, id, { role: 'owner', tenants: null }),
    ];
    expect((await Promise.all(both.map(codeOf))).sort()).toEqual(['CHANGED_MEANWHILE', 'done']);
  });

  test.each([
    ['manager', null, 'FORM_INVALID'],
    ['manager', [], 'FORM_INVALID'],
    ['viewer', [], 'FORM_INVALID'],
    ['viewer', null, 'done'],
    ['viewer', ['a'], 'done'],
    ['manager', ['a'], 'done'],
    ['owner', ['a'], 'done'],
  ] as const)('to %s of %j: %s', async (role, tenants, end) => {
    const opened = openAdmins();
    await addAdmin(opened, 'Ada');
    const { id } = await addAdmin(opened, 'Grace', { role: 'viewer', tenants: ['z'] });
    expect(await codeOf(changeAdmin(opened, id, { role, tenants }))).toBe(end);
    const after = (await opened.admins.findAdmin(id))!;
    if (end !== 'done') expect(after).toMatchObject({ role: 'viewer', tenants: ['z'] });
    else expect(after).toMatchObject({ role, tenants: role === 'owner' ? null : tenants });
  });

  test('is refused where there is nobody', async () => {
    const wanted = { version: 1, role: 'viewer', tenants: null } as const;
    const { admins } = openAdmins();
    expect(await codeOf(admins.changeAdmin(command, 'nobody', wanted))).toBe('ADMIN_UNKNOWN');
  });

  test('takes the links away that a former owner made, and no others', async () => {
    const opened = openAdmins();
    const ada = await addAdmin(opened, 'Ada');
    const grace = await addAdmin(opened, 'Grace');
    const wanted = { role: 'owner', tenants: null } as const;
    const theirs = await opened.links.createInvitation(actorOf(grace), wanted);
    const mine = await opened.links.createInvitation(actorOf(ada), wanted);
    await changeAdmin(opened, grace.id, { role: 'owner', tenants: null });
    expect(await opened.links.findLink(tokenOf(theirs))).not.toBeNull();
    await changeAdmin(opened, grace.id, { role: 'manager', tenants: ['a'] });
    expect(await opened.links.findLink(tokenOf(theirs))).toBeNull();
    expect(await opened.links.findLink(tokenOf(mine))).not.toBeNull();
    expect(await opened.readAudit('link.revoked')).toMatchObject([{ actor: command, target: 'invitation' }]);
  });

  test('takes away more links than a list has', async () => {
    const opened = openAdmins();
    await addAdmin(opened, 'Ada');
    const grace = await addAdmin(opened, 'Grace');
    const hidden = await opened.links.createInvitation(actorOf(grace), { role: 'owner', tenants: null });
    opened.pass(1000);
    for (let i = 0; i < 100; i++) await opened.links.createInvitation(actorOf(grace), { role: 'owner', tenants: null });
    await changeAdmin(opened, grace.id, { role: 'viewer', tenants: null });
    expect(await opened.links.findLink(tokenOf(hidden))).toBeNull();
    expect(await opened.links.listLinks()).toEqual([]);
  });

  test('takes links away that a hundred of others hide, and leaves those of a namesake', async () => {
    const opened = openAdmins();
    await addAdmin(opened, 'Ada');
    const grace = await addAdmin(opened, 'Grace');
    const wanted = { role: 'owner', tenants: null } as const;
    await opened.links.createInvitation(actorOf(grace), wanted);
    opened.pass(1000);
    const namesake = { ...command, name: 'Grace' };
    for (let i = 0; i < 100; i++) await opened.links.createInvitation(namesake, wanted);
    await changeAdmin(opened, grace.id, { role: 'viewer', tenants: null });
    const left = await opened.store.adminLinks.listAdminLinks(opened.now());
    expect(left).toHaveLength(100);
    for (const { id } of left) await opened.store.adminLinks.removeAdminLink(id);
    expect(await opened.store.adminLinks.listAdminLinks(opened.now())).toEqual([]);
  });

  test.each([['c'], ['a', 'leaving']])('to %j is refused: not all are there', async (...ids) => {
    const opened = openAdmins();
    await opened.store.tenants.addTenant(tenant('leaving', { status: 'deleting' }));
    await addAdmin(opened, 'Ada');
    const { id } = await addAdmin(opened, 'Grace', { role: 'viewer', tenants: ['z'] });
    const refused = changeAdmin(opened, id, { role: 'manager', tenants: ids });
    await expect(refused).rejects.toMatchObject({
      code: 'FORM_INVALID',
      problems: [{ path: 'tenants', reason: 'tenant-gone' }],
    });
    expect(await opened.admins.findAdmin(id)).toMatchObject({ role: 'viewer', tenants: ['z'] });
  });
});

describe('removing somebody', () => {
  test('ends their sessions and links, and is in the audit trail', async () => {
    const opened = openAdmins();
    const ada = await addAdmin(opened, 'Ada');
    const grace = await addAdmin(opened, 'Grace');
    const { token } = await opened.sessions.beginSession(grace.id, caller);
    const invitation = await opened.links.createInvitation(actorOf(grace), { role: 'owner', tenants: null });
    const reset = await opened.links.createResetLink(actorOf(ada), grace.id);
    await opened.admins.removeAdmin(actorOf(ada), grace.id);
    expect(await opened.admins.findAdmin(grace.id)).toBeNull();
    expect(await opened.sessions.findSession(token)).toBeNull();
    for (const link of [invitation, reset]) expect(await opened.links.findLink(tokenOf(link))).toBeNull();
    expect(await opened.store.adminLinks.listAdminLinks(opened.now())).toEqual([]);
    expect(await opened.readAudit('admin.removed')).toMatchObject([{ actor: actorOf(ada), target: 'Grace' }]);
    expect(await codeOf(opened.admins.removeAdmin(actorOf(ada), grace.id))).toBe('ADMIN_UNKNOWN');
    await expect(addAdmin(opened, 'Grace')).resolves.toMatchObject({ name: 'Grace' });
  });
});

describe('the password from the environment', () => {
  test('makes an owner where there is nobody', async () => {
    const opened = openAdmins();
    await opened.admins.prepareOwner(goodPassword);
    const { token } = await opened.sessions.signIn('admin', goodPassword, caller);
    expect((await opened.sessions.findSession(token))!.admin).toMatchObject({ name: 'admin', role: 'owner' });
    expect(await opened.links.createSetupLink(command)).toBeNull();
    expect(await opened.readAudit('admin.joined')).toMatchObject([{ actor: { kind: 'system' }, target: 'admin' }]);
  });

  test('changes nothing where there is an owner', async () => {
    const opened = openAdmins();
    await addAdmin(opened, 'Ada');
    await opened.admins.prepareOwner('weak');
    expect(await opened.admins.countAdmins()).toBe(1);
  });

  test('is refused when it is weak', async () => {
    const opened = openAdmins();
    await expect(opened.admins.prepareOwner('adminadminadmin')).rejects.toMatchObject({
      code: 'FORM_INVALID',
      problems: [{ path: 'password', reason: 'password-easy' }],
    });
    expect(await opened.admins.countAdmins()).toBe(0);
  });

  test('makes one owner when two hosts start at once', async () => {
    const opened = openAdmins();
    await Promise.all([opened.admins.prepareOwner(goodPassword), opened.admins.prepareOwner(goodPassword)]);
    expect(await opened.admins.countAdmins()).toBe(1);
    expect(await opened.readAudit('admin.joined')).toHaveLength(1);
  });
});
