import { describe, expect, test } from 'vitest';
import { parseAdminRoleRules } from '../../../../src/domain/admin.ts';
import {
  actorOf,
  addAda,
  addAdmin,
  byOidc,
  byPassword,
  changeAdmin,
  codeOf,
  command,
  goodPassword,
  type OpenAdmins,
  openAdmins,
  tokenOf,
} from '../../../helpers/open-admins.ts';

const caller = { address: '192.0.2.7', userAgent: 'Browser' };
const rules = parseAdminRoleRules('lib-admins=owner; a-staff=manager:a,gone; revision=auditor; ghosts=manager:gone')!;
const open = () => openAdmins({ roleMapping: { claim: 'groups', rules } });

const signIn = (
  { sessions }: OpenAdmins,
  claimed: readonly string[] | null,
  subject = '1',
  name: string | null = 'Eve',
) => sessions.signInByOidc({ subject: `https://id.example ${subject}`, name, claimed }, caller);

async function whoIs({ sessions }: OpenAdmins, { token }: { readonly token: string }) {
  return (await sessions.findSession(token))?.admin;
}

const reasonOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'signed in',
    (error: { code: string; data: { reason?: string; claim?: string } }) =>
      `${error.code} ${error.data.reason} ${error.data.claim}`,
  );

describe('a first sign-in', () => {
  test('makes an administrator with the role of the claim, and the trail says by which value', async () => {
    const opened = open();
    await addAda(opened);
    expect(await whoIs(opened, await signIn(opened, ['other', 'a-staff']))).toMatchObject({
      name: 'Eve',
      role: 'manager',
      tenants: ['a'],
      roleClaim: 'a-staff',
      hasOidc: true,
      hasPassword: false,
    });
    const [, joined] = await opened.readAudit('admin.joined');
    expect(joined).toMatchObject({
      actor: { name: 'Eve', address: '192.0.2.7' },
      details: { claim: 'groups = a-staff' },
    });
  });

  test('is refused where the claim gives no role, by what it lacks', async () => {
    const opened = open();
    for (const [claimed, reason] of [
      [['other', 'A-STAFF', 'a-staff,lib-admins'], 'NO_ROLE'],
      // All tenants of its rule are gone.
      [['ghosts'], 'NO_ROLE'],
      [[], 'NO_ROLE'],
      [null, 'NO_CLAIM'],
    ] as const)
      expect(await reasonOf(signIn(opened, claimed))).toBe(`SIGN_IN_FAILED ${reason} groups`);
    expect(await opened.admins.countAdmins()).toBe(0);
  });

  test('gets a name of its own, and one where the provider tells none', async () => {
    const opened = open();
    await addAdmin(opened, 'Eve');
    await signIn(opened, ['revision'], '1');
    await signIn(opened, ['revision'], '2');
    await signIn(opened, ['revision'], '3', null);
    const { items } = await opened.admins.listAdmins({
      search: '',
      sort: 'name',
      descending: false,
      page: 0,
      pageSize: 9,
    });
    expect(items.map(({ name }) => name)).toEqual(['3', 'Eve', 'Eve 2', 'Eve 3']);
  });

  test('gets one also after fifty others have it', async () => {
    const opened = open();
    for (let number = 1; number <= 51; number++) await signIn(opened, ['revision'], `${number}`);
    expect(await opened.admins.countAdmins()).toBe(51);
  });

  test('in two browsers at once makes one administrator', async () => {
    const opened = open();
    const sessions = await Promise.all([signIn(opened, ['revision']), signIn(opened, ['revision'])]);
    expect(await opened.admins.countAdmins()).toBe(1);
    expect(await Promise.all(sessions.map((each) => whoIs(opened, each)))).toMatchObject([
      { name: 'Eve' },
      { name: 'Eve' },
    ]);
  });
});

describe('each later sign-in', () => {
  test('follows the claim, ends what was open, and is audited', async () => {
    const opened = open();
    await addAda(opened);
    const first = await signIn(opened, ['lib-admins']);
    const same = await signIn(opened, ['lib-admins']);
    expect(await whoIs(opened, first)).toMatchObject({ role: 'owner', tenants: null });
    const link = await opened.links.createInvitation(command, { role: 'owner', tenants: null });
    const { id, name } = (await whoIs(opened, first))!;
    const theirs = await opened.links.createInvitation(
      { kind: 'admin', id, name, address: null },
      { role: 'owner', tenants: null },
    );
    const later = await signIn(opened, ['revision']);
    expect(await whoIs(opened, later)).toMatchObject({ role: 'auditor', tenants: null, roleClaim: 'revision' });
    expect([await whoIs(opened, first), await whoIs(opened, same)]).toEqual([undefined, undefined]);
    expect(await opened.links.findLink(tokenOf(theirs))).toBeNull();
    expect(await opened.links.findLink(tokenOf(link))).not.toBeNull();
    expect(await opened.readAudit('admin.changed')).toMatchObject([
      { actor: { kind: 'system' }, details: { role: 'auditor', roleBefore: 'owner', claim: 'groups = revision' } },
    ]);
  });

  test('takes the role and the sessions away where no group is left, and gives them back', async () => {
    const opened = open();
    await addAda(opened);
    const first = await signIn(opened, ['a-staff']);
    const { id } = (await whoIs(opened, first))!;
    expect(await reasonOf(signIn(opened, []))).toBe('SIGN_IN_FAILED NO_ROLE groups');
    expect(await whoIs(opened, first)).toBeUndefined();
    expect(await opened.admins.findAdmin(id)).toMatchObject({ role: 'viewer', tenants: [], roleClaim: '' });
    expect(await reasonOf(signIn(opened, null))).toBe('SIGN_IN_FAILED NO_CLAIM groups');
    expect(await whoIs(opened, await signIn(opened, ['a-staff']))).toMatchObject({
      id,
      role: 'manager',
      tenants: ['a'],
    });
  });

  test('locks the last owner out under no claim', async () => {
    const opened = open();
    for (const claimed of [['lib-admins'], null, ['revision'], []])
      expect(await whoIs(opened, await signIn(opened, claimed))).toMatchObject({ role: 'owner' });
    await addAda(opened);
    await addAdmin(opened, 'Ann');
    expect(await reasonOf(signIn(opened, []))).toBe('SIGN_IN_FAILED NO_ROLE groups');
  });

  test('of two owners at once who lose their groups leaves one', async () => {
    const opened = open();
    await signIn(opened, ['lib-admins'], '1', 'One');
    await signIn(opened, ['lib-admins'], '2', 'Two');
    const ends = await Promise.all([reasonOf(signIn(opened, [], '1')), reasonOf(signIn(opened, [], '2'))]);
    expect(ends).toContain('signed in');
    expect(await opened.admins.countAdmins('owner')).toBeGreaterThan(0);
  });
});

describe('a claim that is missing', () => {
  test('keeps people out and ends their sessions, and takes no role away', async () => {
    const opened = open();
    await addAda(opened);
    const first = await signIn(opened, ['lib-admins']);
    const { id } = (await whoIs(opened, first))!;
    expect(await reasonOf(signIn(opened, null))).toBe('SIGN_IN_FAILED NO_CLAIM groups');
    expect(await whoIs(opened, first)).toBeUndefined();
    expect(await opened.admins.findAdmin(id)).toMatchObject({ role: 'owner', roleClaim: 'lib-admins' });
    expect(await opened.readAudit('admin.changed')).toEqual([]);
  });
});

describe('before there is an owner', () => {
  test('somebody else who joins leaves the set-up as it is', async () => {
    const opened = open();
    const before = (await opened.links.createSetupLink(command))!;
    await signIn(opened, ['revision']);
    expect(await opened.links.findLink(tokenOf(before))).not.toBeNull();
    expect(await opened.links.createSetupLink(command)).not.toBeNull();
    const ada = await opened.links.useLink(tokenOf(before), byPassword('Ada'), null);
    expect(ada).toMatchObject({ role: 'owner' });
    expect(await opened.links.createSetupLink(command)).toBeNull();
  });

  test('the password from the environment makes one beside somebody else', async () => {
    const opened = open();
    await signIn(opened, ['revision']);
    await opened.admins.prepareOwner(goodPassword);
    expect(await opened.admins.countAdmins('owner')).toBe(1);
  });

  test('an owner by claim ends the set-up', async () => {
    const opened = open();
    const link = (await opened.links.createSetupLink(command))!;
    await signIn(opened, ['lib-admins']);
    expect(await opened.links.findLink(tokenOf(link))).toBeNull();
  });
});

describe('a password beside a role by claim', () => {
  test('is for no link of an owner, and with one of a command the role is for people to change', async () => {
    const opened = open();
    const ada = await addAdmin(opened, 'Ada');
    const { id } = (await whoIs(opened, await signIn(opened, ['a-staff'])))!;
    expect(await codeOf(opened.links.createResetLink(actorOf(ada), id))).toBe('ROLE_FROM_CLAIM');
    const link = await opened.links.createResetLink(command, id);
    await opened.links.useLink(tokenOf(link), byPassword(''), null);
    expect(await opened.admins.findAdmin(id)).toMatchObject({ role: 'manager', roleClaim: null });
    expect(await codeOf(changeAdmin(opened, id, { role: 'viewer', tenants: null }))).toBe('done');
  });

  test('is refused no account while nobody reads claims', async () => {
    const opened = openAdmins();
    const ada = await addAdmin(opened, 'Ada');
    const grace = await addAdmin(opened, 'Grace');
    const record = (await opened.store.admins.findAdmin(grace.id))!;
    await opened.store.admins.replaceAdmin({ ...record, roleClaim: 'lib-admins', version: record.version + 1 });
    expect(await codeOf(opened.links.createResetLink(actorOf(ada), grace.id))).toBe('done');
  });
});

describe('somebody invited', () => {
  const invite = async (opened: OpenAdmins, role: 'owner' | 'viewer') => {
    const link = await opened.links.createInvitation(command, { role, tenants: null });
    return opened.links.useLink(tokenOf(link), byOidc('Eve', 'https://id.example 1'), null);
  };

  test('keeps the role that people gave, whatever the claim says', async () => {
    const opened = open();
    await addAda(opened);
    const { id } = await invite(opened, 'owner');
    for (const claimed of [['other'], ['revision'], ['lib-admins'], [], null])
      expect(await whoIs(opened, await signIn(opened, claimed))).toMatchObject({ id, role: 'owner', roleClaim: null });
    await changeAdmin(opened, id, { role: 'viewer', tenants: null });
    expect(await whoIs(opened, await signIn(opened, ['lib-admins']))).toMatchObject({ id, role: 'viewer' });
  });

  test('after the claim took the role away, an owner may give one, which stays', async () => {
    const opened = open();
    await addAda(opened);
    const { id } = (await whoIs(opened, await signIn(opened, ['a-staff'])))!;
    expect(await codeOf(changeAdmin(opened, id, { role: 'viewer', tenants: null }))).toBe('ROLE_FROM_CLAIM');
    await reasonOf(signIn(opened, []));
    await changeAdmin(opened, id, { role: 'viewer', tenants: null });
    expect(await whoIs(opened, await signIn(opened, []))).toMatchObject({ id, role: 'viewer', roleClaim: null });
  });

  test('is all there is without a mapping', async () => {
    const opened = openAdmins();
    expect(await reasonOf(signIn(opened, ['lib-admins']))).toBe('SIGN_IN_FAILED undefined undefined');
    await addAda(opened);
    await invite(opened, 'viewer');
    expect(await whoIs(opened, await signIn(opened, ['lib-admins']))).toMatchObject({ role: 'viewer' });
  });
});

test('tenants of rules that do not exist are named', async () => {
  expect(await open().admins.findUnknownRuleTenants()).toEqual(['gone']);
  expect(await openAdmins().admins.findUnknownRuleTenants()).toEqual([]);
});
