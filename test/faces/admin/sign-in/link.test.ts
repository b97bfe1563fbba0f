import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../../../src/domain/admin.ts';
import type { AdminBrowser } from '../admin-browser.ts';
import { readAudit } from '../read-audit.ts';
import { fieldOf, problemOf } from '../read-page.ts';
import { operator, PASSWORD, type RunningAdmin, type SignedInBrowser, someone, startAdmin } from '../start-admin.ts';

const DAY = 86_400_000;
const NEW_PASSWORD = 'wagon onion paper rivers';
const passwords = { password: NEW_PASSWORD, repeated: NEW_PASSWORD };

let admin: RunningAdmin;
let browser: AdminBrowser;

beforeEach(async () => {
  admin = await startAdmin();
  browser = admin.visit();
});
afterEach(() => admin.close());

/** Below `/admin`. */
const pathOf = ({ path }: { readonly path: string }) => path.replace('/admin', '');

async function makeSetup(): Promise<string> {
  return pathOf((await admin.deps.links.createSetupLink(systemActor))!);
}

async function invite(role: 'owner' | 'manager' | 'viewer' = 'manager'): Promise<string> {
  const tenants = role === 'owner' ? null : ['default'];
  return pathOf(await admin.deps.links.createInvitation(operator, { role, tenants }));
}

async function makeReset(): Promise<{ path: string; holder: SignedInBrowser }> {
  const holder = await admin.signInAs('manager', ['default'], { name: 'Ada' });
  return { path: pathOf(await admin.deps.links.createResetLink(operator, holder.id)), holder };
}

describe('a set-up link', () => {
  test('makes the first owner, who is signed in then', async () => {
    const path = await makeSetup();
    expect(await browser.page('/sign-in')).toContain('This server has not been set up yet.');
    expect(await browser.page(path)).toContain('<h1>Set up Skilldock</h1>');
    const answer = await browser.post(path, { name: ' Ada  Lovelace ', ...passwords });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin']);
    const text = await browser.follow(answer);
    expect(text).toContain(' Ada Lovelace</a>');
    expect(text).toContain('>Owner</span>');
    expect(await browser.page('/admins')).toContain('Ada Lovelace');
    // The password works.
    const again = admin.visit();
    expect((await again.post('/sign-in', { name: 'ada lovelace', password: NEW_PASSWORD })).status).toBe(303);
  });

  test('is no good any more when there is an owner', async () => {
    const path = await makeSetup();
    await admin.signInAs('owner');
    expect(await browser.page(path, 404)).toContain('This link is not valid');
    expect((await browser.post(path, { name: 'Eve', ...passwords })).status).toBe(409);
    expect(await admin.deps.admins.countAdmins()).toBe(1);
  });
});

describe('an invitation', () => {
  test('says who invites to what, and gives just that', async () => {
    const path = await invite();
    const text = await browser.page(path);
    expect(text).toContain('<dt>Invited by</dt><dd>Someone</dd>');
    expect(text).toContain('<strong>Manager</strong>');
    expect(text).toContain('<dt>Tenants</dt><dd>Default institution</dd>');
    expect(text).toContain('This link works once, until Mar 8, 2026');
    await browser.follow(await browser.post(path, { name: 'Bob', ...passwords }));
    const [bob] = (await admin.deps.admins.listAdmins(everyone)).items;
    expect(bob).toMatchObject({ name: 'Bob', role: 'manager', tenants: ['default'], hasPassword: true });
    expect((await browser.get('/admins')).status).toBe(403);
  });

  test('is used up by nothing but its use', async () => {
    const path = await invite();
    for (let i = 0; i < 3; i++) await browser.page(path);
    await fetch(`${admin.url}/admin${path}`, { method: 'HEAD' });
    expect((await browser.post(path, { name: 'Bob', ...passwords })).status).toBe(303);
    const late = admin.visit();
    expect(await late.page(path, 404)).toContain('Ask an owner of this server for a new link.');
    const second = await late.post(path, { name: 'Eve', ...passwords });
    expect(second.status).toBe(409);
    expect(await second.text()).toContain('skilldock admin link');
    expect(late.cookies.has('skilldock_session')).toBe(false);
  });

  test('makes one administrator when two use it at once', async () => {
    const path = await invite();
    const browsers = [admin.visit(), admin.visit()];
    for (const each of browsers) await each.findCsrf();
    const answers = await Promise.all(browsers.map((each, i) => each.post(path, { name: `Bob ${i}`, ...passwords })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(await admin.deps.admins.countAdmins()).toBe(1);
  });

  const refusals: [string, Record<string, string>, string, string][] = [
    ['no name', { name: '  ', ...passwords }, 'name', 'Enter a name with at least one letter or digit.'],
    ['a very long name', { name: 'x'.repeat(101), ...passwords }, 'name', 'This name is too long.'],
    ['an invisible name', { name: 'Bob\u202egnp', ...passwords }, 'name', 'This name contains invisible characters.'],
    ['a taken name', { name: 'ADA', ...passwords }, 'name', 'This name is already taken.'],
    ['no password', { name: 'Bob', password: '', repeated: '' }, 'password', 'Please fill in this field.'],
    [
      'another password the second time',
      { name: 'Bob', password: NEW_PASSWORD, repeated: `${NEW_PASSWORD}!` },
      'repeated',
      'The two passwords do not match.',
    ],
    [
      'a short password',
      { name: 'Bob', password: 'onionpaper1', repeated: 'onionpaper1' },
      'password',
      'This password is too short.',
    ],
    [
      'a common password',
      { name: 'Bob', password: 'password1234', repeated: 'password1234' },
      'password',
      'easy to guess',
    ],
    [
      'a very long password',
      { name: 'Bob', password: 'onion '.repeat(40), repeated: 'onion '.repeat(40) },
      'password',
      'This is too long. Shorten it.',
    ],
  ];

  test.each(refusals)('with %s outlives the refusal, and keeps the name', async (_, fields, field, problem) => {
    await admin.signInAs('viewer', null, { name: 'Ada' });
    const path = await invite();
    const answer = await browser.post(path, fields);
    expect(answer.status).toBe(422);
    const text = await answer.text();
    expect(problemOf(text, field)).toContain(problem);
    expect(fieldOf(text, 'name')?.trim()).toBe(fields.name!.trim());
    if (fields.password !== '') expect(text).not.toContain(fields.password);
    expect((await browser.post(path, { name: 'Bob', ...passwords })).status).toBe(303);
  });

  test('is gone after seven days', async () => {
    const path = await invite();
    admin.clock.advance(7 * DAY - 1);
    await browser.page(path);
    admin.clock.advance(1);
    await browser.page(path, 404);
    expect((await browser.post(path, { name: 'Bob', ...passwords })).status).toBe(409);
  });

  test('ends the session of whoever uses it', async () => {
    const path = await invite('viewer');
    const owner = await admin.signInAs('owner', null, { name: 'Ada' });
    const before = owner.cookies.get('skilldock_session')!;
    expect(await owner.page(path)).toContain('This browser is signed in as Ada.');
    await owner.follow(await owner.post(path, { name: 'Bob', ...passwords }));
    expect(owner.cookies.get('skilldock_session')).not.toBe(before);
    expect((await owner.get('/admins')).status).toBe(403);
    const old = admin.visit();
    old.cookies.set('skilldock_session', before);
    expect((await old.get('/account')).status).toBe(303);
  });

  test('is in French for whoever reads French', async () => {
    const path = await invite();
    const french = admin.visit('fr');
    expect(await french.page(path)).toContain('<h1>Devenir administrateur</h1>');
    const answer = await french.post(path, { name: '-', password: 'court', repeated: 'court' });
    const text = await answer.text();
    expect(text).toContain('Saisissez un nom avec au moins une lettre ou un chiffre.');
    expect(text).toContain('Ce mot de passe est trop court.');
    expect(await french.page('/link/nothing', 404)).toContain('Ce lien n’est pas valide');
  });
});

const everyone = { search: '', sort: 'name', descending: false, page: 0, pageSize: 10 } as const;

describe('a reset link', () => {
  test('changes the password of one administrator, ends their sessions, and begins another', async () => {
    const { path, holder } = await makeReset();
    const text = await browser.page(path);
    expect(text).toContain('For the account Ada.');
    expect(text).toContain('value="Ada" autocomplete="username" readonly');
    expect(await browser.follow(await browser.post(path, { ...passwords, name: 'Eve' }))).toContain(' Ada</a>');
    expect((await holder.get('/account')).status).toBe(303);
    const signIn = (password: string) => admin.visit().post('/sign-in', { name: 'Ada', password });
    expect((await signIn(PASSWORD)).status).toBe(401);
    expect((await signIn(NEW_PASSWORD)).status).toBe(303);
  });

  test('leaves everything as it is when the new password is refused', async () => {
    const { path, holder } = await makeReset();
    const answer = await browser.post(path, { password: 'adaadaadaada', repeated: 'adaadaadaada' });
    expect(answer.status).toBe(422);
    expect((await holder.get('/account')).status).toBe(200);
    await browser.page(path);
  });

  test('is gone after a day, and with its administrator', async () => {
    const { path, holder } = await makeReset();
    const owner = await admin.signInAs('owner');
    const { path: other } = await admin.deps.links.createResetLink(operator, owner.id);
    await admin.deps.admins.removeAdmin(someone, holder.id);
    await browser.page(path, 404);
    await browser.page(pathOf({ path: other }));
    admin.clock.advance(DAY);
    await browser.page(pathOf({ path: other }), 404);
  });
});

describe('the secret of a link', () => {
  test.each(['x', 'a'.repeat(43), 'a'.repeat(5_000), '%00', '..%2f..%2fsign-in'])(
    'cannot be guessed: %s',
    async (token) => {
      await invite();
      await browser.page(`/link/${token}`, 404);
    },
  );

  test('is neither in the log nor in the store', async () => {
    const path = await invite();
    const token = path.split('/').at(-1)!;
    await browser.page(`${path}?utm=1`);
    await browser.post(path, { name: 'Bob', password: 'short', repeated: 'short' });
    await browser.post(path, { name: 'Bob', ...passwords });
    const requests = admin.log.filter((line) => line.includes('/admin/link/…'));
    expect(requests.length).toBeGreaterThanOrEqual(3);
    const log = admin.log.join('\n');
    for (const secret of [token, NEW_PASSWORD, browser.cookies.get('skilldock_session')!])
      expect(log).not.toContain(secret);
    expect(JSON.stringify(await readAudit(admin))).not.toContain(token);
  });

  test('does not leave with the browser', async () => {
    const { headers } = await browser.get(await invite());
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

test('a host without a provider says nothing of one', async () => {
  expect(await browser.page(await invite())).not.toContain('/oidc/');
  await browser.page('/oidc/callback?state=x', 404);
  expect((await browser.post('/oidc/begin')).status).toBe(404);
});
