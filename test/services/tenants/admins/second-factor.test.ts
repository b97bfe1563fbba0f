import { describe, expect, test } from 'vitest';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { fromBase32, makeAppCode } from '../../../../src/services/tenants/admins/second-factor.ts';
import { tenant } from '../../../contract/store/records.ts';
import { command, goodPassword, type OpenAdmins, openAdmins, tokenOf } from '../../../helpers/open-admins.ts';

const caller = { address: '192.0.2.1', userAgent: 'Firefox', browser: null };
const STEP_MS = 30_000;
const wrong = { code: 'SECOND_FACTOR_WRONG' };

/** Ada with a second factor that was set up just now. */
async function openWithFactor(opened: OpenAdmins = openAdmins()) {
  // Its secrets include those of administrators.
  await opened.store.tenants.addTenant(tenant(DEFAULT_TENANT));
  const setup = await opened.links.createInvitation(command, { role: 'owner', tenants: null });
  const credentials = { kind: 'password', name: 'Ada', password: goodPassword } as const;
  const { id } = await opened.links.useLink(tokenOf(setup), credentials, null);
  const { secret, sealed } = opened.secondFactors.begin(id);
  const codeAt = (steps = 0) => makeAppCode(fromBase32(secret), Math.floor(opened.now().getTime() / STEP_MS) + steps);
  const enabling = { sealed, code: codeAt(), password: goodPassword, keepSessionId: '' };
  const codes = await opened.secondFactors.enable(command, id, enabling);
  opened.pass(STEP_MS);
  /** The password, which is right, and then a code. */
  async function signIn(code: string) {
    const refused = await opened.sessions.signIn('Ada', goodPassword, caller).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED', data: { pending: expect.any(String) } });
    const { pending } = (refused as { data: { pending: string } }).data;
    return opened.sessions.signInWithCode(pending, code, caller);
  }
  return { opened, id, secret, sealed, codes, codeAt, signIn };
}

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('the code at %i s is that of RFC 6238, appendix B', (seconds, code) => {
  expect(makeAppCode(Buffer.from('12345678901234567890'), Math.floor(seconds / 30))).toBe(code);
});

describe('signing in', () => {
  test('takes the password and a code, and says so in the audit trail', async () => {
    const { opened, codeAt, signIn } = await openWithFactor();
    const { token } = await signIn(codeAt());
    expect(await opened.sessions.findSession(token)).toMatchObject({ admin: { name: 'Ada', recoveryCodes: 10 } });
    expect(await opened.readAudit('admin.signed-in')).toMatchObject([{ details: { by: 'password-code' } }]);
  });

  test('refuses a code that was used, also by two at once, and any before it', async () => {
    const { opened, codeAt, signIn } = await openWithFactor();
    const both = await Promise.allSettled([signIn(codeAt()), signIn(codeAt())]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(signIn(codeAt())).rejects.toMatchObject(wrong);
    await expect(signIn(codeAt(-1))).rejects.toMatchObject(wrong);
    opened.pass(STEP_MS);
    await signIn(codeAt());
  });

  test('refuses the code with which the factor was set up', async () => {
    const { codeAt, signIn } = await openWithFactor();
    await expect(signIn(codeAt(-1))).rejects.toMatchObject(wrong);
  });

  test.each([-2, 1, 1_000])('refuses a code %i steps away', async (steps) => {
    const { codeAt, signIn } = await openWithFactor();
    await expect(signIn(codeAt(steps))).rejects.toMatchObject(wrong);
  });

  test('takes the code of the step before', async () => {
    const { opened, codeAt, signIn } = await openWithFactor();
    opened.pass(STEP_MS);
    await signIn(codeAt(-1));
  });

  test('takes five guesses of a quarter of an hour, and twenty of a day, on all hosts together', async () => {
    const { opened, codeAt, signIn } = await openWithFactor();
    const guess = async () => {
      const result = await signIn('000000').catch((error: { code: string }) => error.code);
      return result;
    };
    for (let i = 0; i < 5; i++) expect(await guess()).toBe('SECOND_FACTOR_WRONG');
    // Right, and refused all the same.
    await expect(signIn(codeAt())).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    for (let round = 0; round < 3; round++) {
      opened.pass(900_000);
      for (let i = 0; i < 5; i++) expect(await guess()).toBe('SECOND_FACTOR_WRONG');
    }
    opened.pass(900_000);
    await expect(signIn(codeAt())).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    opened.pass(86_400_000);
    await signIn(codeAt());
  });

  test('takes each recovery code once, however it is written', async () => {
    const { opened, codes, signIn } = await openWithFactor();
    const [first = '', second = ''] = codes;
    expect(new Set(codes).size).toBe(10);
    await signIn(first.toLowerCase().replaceAll('-', ' '));
    await expect(signIn(first)).rejects.toMatchObject(wrong);
    const both = await Promise.allSettled([signIn(second), signIn(second)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [record] = (
      await opened.admins.listAdmins({ search: '', sort: 'name', descending: false, page: 0, pageSize: 1 })
    ).items;
    expect(record).toMatchObject({ recoveryCodes: 8 });
  });

  test('is over five minutes after the password, after a change of it, and with a token of nobody', async () => {
    const { opened, id, codeAt, signIn } = await openWithFactor();
    const { data } = (await opened.sessions.signIn('Ada', goodPassword, caller).catch((error: unknown) => error)) as {
      data: { pending: string };
    };
    const late = { code: 'SIGN_IN_FAILED' };
    for (const pending of ['', 'v1.00000000.AAAA', `${data.pending}A`])
      await expect(opened.sessions.signInWithCode(pending, codeAt(), caller)).rejects.toMatchObject(late);
    const next = 'paper boat and umbrella';
    await opened.admins.changePassword(command, id, { current: goodPassword, next, keepSessionId: '' });
    await expect(opened.sessions.signInWithCode(data.pending, codeAt(), caller)).rejects.toMatchObject(late);
    await opened.admins.changePassword(command, id, { current: next, next: goodPassword, keepSessionId: '' });
    opened.pass(300_000);
    await expect(opened.sessions.signInWithCode(data.pending, codeAt(), caller)).rejects.toMatchObject(late);
    await signIn(codeAt());
  });

  test('with a link for a new password asks for the code, too, unless a command made the link', async () => {
    const { opened, id, codeAt } = await openWithFactor();
    const owner = { kind: 'admin', id, name: 'Ada', address: null } as const;
    const use = async (link: Awaited<ReturnType<typeof opened.links.createResetLink>>) => {
      await opened.links.useLink(tokenOf(link), { kind: 'password', name: '', password: goodPassword }, null);
      return opened.sessions.beginSession(id, caller);
    };
    const refused = use(await opened.links.createResetLink(owner, id));
    await expect(refused).rejects.toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' });
    const { pending } = (await refused.catch((error: { data: { pending: string } }) => error.data)) as {
      pending: string;
    };
    await opened.sessions.signInWithCode(pending, codeAt(), caller);
    await use(await opened.links.createResetLink(command, id));
    expect((await opened.admins.findAdmin(id))!.recoveryCodes).toBeNull();
  });
});

describe('setting it up', () => {
  test('needs the password and the code of the app, ends other sessions, and stores nothing readable', async () => {
    const opened = openAdmins();
    const { id, secret, codes } = await openWithFactor(opened);
    const stored = JSON.stringify([
      await opened.store.admins.findAdmin(id),
      await opened.store.secrets.listSecrets(null, 10),
    ]);
    for (const plain of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(stored).not.toContain(plain);
    const begun = opened.secondFactors.begin(id);
    const right = makeAppCode(fromBase32(begun.secret), Math.floor(opened.now().getTime() / STEP_MS));
    const enable = (changes: object) =>
      opened.secondFactors.enable(command, id, {
        sealed: begun.sealed,
        code: right,
        password: goodPassword,
        keepSessionId: '',
        ...changes,
      });
    await expect(enable({ password: 'wrong' })).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' });
    await expect(enable({ code: '000000' })).rejects.toMatchObject(wrong);
    await expect(enable({ sealed: opened.secondFactors.begin('somebody else').sealed })).rejects.toMatchObject(wrong);
    expect(await opened.readAudit('admin.second-factor-set')).toHaveLength(1);
  });

  test('shows the same secret again after a refusal', () => {
    const { secondFactors } = openAdmins();
    const first = secondFactors.begin('ada');
    expect(secondFactors.begin('ada', first.sealed).secret).toBe(first.secret);
    expect(secondFactors.begin('eve', first.sealed).secret).not.toBe(first.secret);
  });
});

describe('removing it', () => {
  test('needs the password, or an owner, and takes the secret away', async () => {
    const { opened, id, signIn, codeAt } = await openWithFactor();
    await expect(opened.secondFactors.removeOwn(command, id, 'wrong')).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
    });
    await signIn(codeAt());
    await opened.secondFactors.remove(command, id);
    expect(await opened.store.secrets.listSecrets(null, 10)).toEqual([]);
    await opened.sessions.signIn('Ada', goodPassword, caller);
    expect(await opened.readAudit('admin.second-factor-removed')).toMatchObject([{ target: 'Ada' }]);
  });

  test('is part of removing the administrator', async () => {
    const { opened, id } = await openWithFactor();
    const another = await opened.links.createInvitation(command, { role: 'owner', tenants: null });
    await opened.links.useLink(tokenOf(another), { kind: 'password', name: 'Grace', password: goodPassword }, null);
    await opened.admins.removeAdmin(command, id);
    expect(await opened.store.secrets.listSecrets(null, 10)).toEqual([]);
  });
});
