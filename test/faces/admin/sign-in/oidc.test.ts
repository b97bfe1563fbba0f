import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseAdminRoleRules } from '../../../../src/domain/admin.ts';
import { AppError } from '../../../../src/errors.ts';
import { createFakeOidc, type FakeOidc } from '../../../fakes/oidc.ts';
import type { AdminBrowser } from '../admin-browser.ts';
import { operator, type RunningAdmin, someone, startAdmin } from '../start-admin.ts';

const MINUTE = 60_000;
const everyone = { search: '', sort: 'name', descending: false, page: 0, pageSize: 10 } as const;

let oidc: FakeOidc;
let admin: RunningAdmin;
let browser: AdminBrowser;

beforeEach(async () => {
  oidc = createFakeOidc();
  admin = await startAdmin({ oidc });
  browser = admin.visit();
});
afterEach(() => admin.close());

/** To the provider; gives the state that it sends back. */
async function begin(fields: Record<string, string> = {}, from = browser): Promise<string> {
  const answer = await from.post('/oidc/begin', fields);
  const text = await answer.text();
  expect(answer.status).toBe(200);
  const address = 'https://login.example.org/authorize?state=';
  expect(text).toContain(`<meta http-equiv="refresh" content="0; url=${address}`);
  return /href="https:\/\/login\.example\.org\/authorize\?state=([^"]+)"/.exec(text)![1]!;
}

const comeBack = (state: string, from = browser) => from.get(`/oidc/callback?code=abc&state=${state}`);

async function invite(): Promise<string> {
  const given = await admin.deps.links.createInvitation(operator, { role: 'manager', tenants: ['default'] });
  return given.path.split('/').at(-1)!;
}

/** Somebody who has the account that the fake signs in. */
async function join(): Promise<void> {
  const link = await invite();
  const other = admin.visit();
  const answer = await comeBack(await begin({ link }, other), other);
  expect(answer.status).toBe(303);
}

describe('signing in', () => {
  test('is offered on the sign-in page, and leads to the page that was wanted', async () => {
    await join();
    const text = await browser.page('/sign-in?next=%2Fadmin%2Faudit');
    expect(text).toContain('Sign in with University login');
    const answer = await comeBack(await begin({ next: '/admin/audit' }));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/audit']);
    expect(await browser.follow(answer)).toContain(' Ada</a>');
    expect(oidc.begun.at(-1)).toBe(`${admin.url}/admin/oidc/callback`);
  });

  test('begins a new session and ends the one before', async () => {
    await join();
    await comeBack(await begin());
    const first = browser.cookies.get('skilldock_session')!;
    await comeBack(await begin());
    expect(browser.cookies.get('skilldock_session')).not.toBe(first);
    const old = admin.visit();
    old.cookies.set('skilldock_session', first);
    expect((await old.get('/account')).status).toBe(303);
    expect(browser.cookies.has('skilldock_oidc')).toBe(false);
  });

  test('does not lead to another site', async () => {
    await join();
    const answer = await comeBack(await begin({ next: '//evil.example' }));
    expect(answer.headers.get('location')).toBe('/admin');
  });

  test('lets nobody in who was not invited', async () => {
    const answer = await comeBack(await begin());
    expect(answer.status).toBe(403);
    const text = await answer.text();
    expect(text).toContain('No administrator has this University login account.');
    expect(text).toContain('href="/admin/sign-in"');
    expect(browser.cookies.has('skilldock_session')).toBe(false);
    expect(await admin.deps.admins.countAdmins()).toBe(0);
  });
});

describe('roles by a claim', () => {
  const subject = 'https://login.example.org ada';
  const claim = (...claimed: string[]) => {
    oidc.identity = { subject, name: 'Ada', claimed };
  };

  beforeEach(async () => {
    await admin.close();
    const rules = parseAdminRoleRules('lib-admins=owner; lyon-staff=manager:lyon,nowhere; revision=auditor')!;
    admin = await startAdmin({ oidc, roleMapping: { claim: 'groups', rules } });
    await admin.addTenant('Lyon');
    browser = admin.visit();
  });

  test('let somebody in without an invitation, and are said on the pages', async () => {
    claim('lyon-staff');
    expect((await comeBack(await begin())).status).toBe(303);
    expect(await browser.page('/account')).toContain('Role given by your identity provider: groups = lyon-staff.');
    const owner = await admin.signInAs('owner');
    const list = await owner.page('/admins');
    expect(list).toContain('The claim “groups” of University login');
    expect(list).toContain('OIDC_ROLES names tenants that do not exist: nowhere.');
    expect(list).toContain('groups = lyon-staff');
    const [ada] = (await admin.deps.admins.listAdmins({ ...everyone, search: 'Ada' })).items;
    const page = await owner.page(`/admins/${ada!.id}`);
    expect(page).toContain('Role given by your identity provider: groups = lyon-staff.');
    expect(page).not.toContain('name="role"');
    const sent = await owner.post(`/admins/${ada!.id}`, { version: `${ada!.version}`, role: 'owner' });
    expect(await sent.text()).toContain('The identity provider gives this role.');
    expect((await admin.deps.admins.findAdmin(ada!.id))!.role).toBe('manager');
    claim('revision');
    await comeBack(await begin());
    expect((await browser.get('/system')).status).toBe(200);
  });

  test('refuse whom no value covers with the claim that was read and whom to ask', async () => {
    claim('students');
    const refused = await comeBack(await begin());
    expect(refused.status).toBe(403);
    const text = await refused.text();
    expect(text).toContain('Skilldock read the claim “groups”.');
    expect(text).toContain('or ask an owner of this server for an invitation');
    oidc.identity = { subject, name: 'Ada', claimed: null };
    expect(await (await comeBack(await begin())).text()).toContain('sent no claim “groups”');
    expect(browser.cookies.has('skilldock_session')).toBe(false);
  });

  test('change no role of an invitation', async () => {
    const { path } = await admin.deps.links.createInvitation(operator, { role: 'owner', tenants: null });
    claim('revision');
    await admin.signInAs('owner');
    await comeBack(await begin({ link: path.split('/').at(-1)! }));
    await comeBack(await begin());
    const [ada] = (await admin.deps.admins.listAdmins({ ...everyone, search: 'Ada' })).items;
    expect(ada).toMatchObject({ role: 'owner', roleClaim: null });
  });

  test('are given by owners again once the claim gives none, and until then nobody sets a password', async () => {
    claim('lyon-staff');
    await comeBack(await begin());
    const owner = await admin.signInAs('owner');
    const [ada] = (await admin.deps.admins.listAdmins({ ...everyone, search: 'Ada' })).items;
    expect(await owner.page(`/admins/${ada!.id}`)).not.toContain('/reset-link');
    claim('students');
    await comeBack(await begin());
    expect(await owner.page(`/admins/${ada!.id}`)).toContain('name="role"');
  });

  test('are missing by name where a link was used with an account that lost them', async () => {
    claim('lyon-staff');
    await comeBack(await begin());
    await admin.signInAs('owner');
    const [ada] = (await admin.deps.admins.listAdmins({ ...everyone, search: 'Ada' })).items;
    const { path } = await admin.deps.links.createResetLink(operator, ada!.id);
    claim('students');
    const answer = await comeBack(await begin({ link: path.split('/').at(-1)! }));
    expect(answer.status).toBe(403);
    const text = await answer.text();
    expect(text).toContain('Skilldock read the claim “groups”.');
    expect(text).toContain('href="/admin/sign-in"');
  });

  test('too long for the provider to send are no lost role', async () => {
    oidc.failure = new AppError('OIDC_FAILED', 'x', { data: { reason: 'CLAIM_LEFT_OUT', claim: 'groups' } });
    const answer = await comeBack(await begin());
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain('did not send your claim “groups”');
  });
});

describe('what comes back is refused', () => {
  const refusal = 'This sign-in started in another browser, was already used, or took longer than 10 minutes.';

  beforeEach(join);

  test('in another browser', async () => {
    const state = await begin();
    const victim = admin.visit();
    const answer = await comeBack(state, victim);
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain(refusal);
    // Also when that one has begun a sign-in of its own.
    await begin({}, victim);
    expect((await comeBack(state, victim)).status).toBe(401);
    expect(victim.cookies.has('skilldock_session')).toBe(false);
    // Nothing of it is used up where it was begun.
    expect((await comeBack(state)).status).toBe(303);
  });

  test('a second time', async () => {
    const state = await begin();
    const cookie = browser.cookies.get('skilldock_oidc')!;
    expect((await comeBack(state)).status).toBe(303);
    browser.cookies.set('skilldock_oidc', cookie);
    expect(await (await comeBack(state)).text()).toContain(refusal);
  });

  test('with another state, or none', async () => {
    await begin();
    expect(await (await comeBack('state-99')).text()).toContain(refusal);
    await begin();
    expect((await browser.get('/oidc/callback')).status).toBe(401);
  });

  test('after ten minutes', async () => {
    const late = await begin();
    admin.clock.advance(10 * MINUTE);
    expect(await (await comeBack(late)).text()).toContain(refusal);
    const inTime = await begin();
    admin.clock.advance(10 * MINUTE - 1);
    expect((await comeBack(inTime)).status).toBe(303);
  });

  test('when the provider did not confirm it', async () => {
    oidc.identity = null;
    const answer = await comeBack(await begin());
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain('University login did not confirm the sign-in');
  });
});

test.each(['begin', 'finish'] as const)('a provider that does not answer at the %s is said to be so', async (call) => {
  const outage = async () => {
    throw new AppError('OIDC_UNAVAILABLE', 'No answer.');
  };
  const working = oidc[call];
  Object.assign(oidc, { [call]: outage });
  const answer = call === 'begin' ? await browser.post('/oidc/begin') : await comeBack(await begin());
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('University login is unavailable.');
  expect(admin.log.join()).toContain('a sign-in with OpenID Connect failed');
  Object.assign(oidc, { [call]: working });
  await begin();
});

describe('a one-time link', () => {
  test('is used with the account, under the name of the provider', async () => {
    const link = await invite();
    const text = await browser.page(`/link/${link}`);
    expect(text).toContain('formaction="/admin/oidc/begin" formnovalidate');
    expect(await browser.follow(await comeBack(await begin({ link })))).toContain(' Ada</a>');
    const [ada] = (await admin.deps.admins.listAdmins(everyone)).items;
    expect(ada).toMatchObject({ name: 'Ada', role: 'manager', hasOidc: true, hasPassword: false });
    await browser.page(`/link/${link}`, 404);
  });

  test('is used under a name of one’s own', async () => {
    await comeBack(await begin({ link: await invite(), name: ' Countess ' }));
    expect((await admin.deps.admins.listAdmins(everyone)).items[0]!.name).toBe('Countess');
  });

  test('is shown once more when the name cannot be taken', async () => {
    await admin.signInAs('viewer', null, { name: 'Ada' });
    const link = await invite();
    const answer = await comeBack(await begin({ link }));
    expect(answer.status).toBe(422);
    const text = await answer.text();
    expect(text).toContain('id="name-problem">This name is already taken.');
    expect(text).toContain(`action="/admin/link/${link}"`);
    expect((await comeBack(await begin({ link, name: 'Ada 2' }))).status).toBe(303);
  });

  test('asks for a name when the provider tells none', async () => {
    oidc.identity = { subject: 'https://login.example.org ada', name: null, claimed: null };
    const answer = await comeBack(await begin({ link: await invite() }));
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('Enter a name with at least one letter or digit.');
  });

  test('is not for an account that somebody has already', async () => {
    await join();
    const link = await invite();
    const answer = await comeBack(await begin({ link, name: 'Another' }));
    expect(answer.status).toBe(422);
    const text = await answer.text();
    expect(text).toContain('This account already belongs to an administrator.');
    expect(text).toContain('value="Another"');
    await browser.page(`/link/${link}`);
  });

  test('that came to its end meanwhile is said to be so', async () => {
    const link = await invite();
    const state = await begin({ link });
    const [pending] = await admin.deps.links.listLinks();
    await admin.deps.links.revokeLink(someone, pending!.id);
    const answer = await comeBack(state);
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('This link is not valid');
  });

  test('leads back to itself when the provider refuses', async () => {
    const link = await invite();
    oidc.identity = null;
    const text = await (await comeBack(await begin({ link }))).text();
    expect(text).toContain(`href="/admin/link/${link}"`);
    await browser.page(`/link/${link}`);
  });

  test('takes a password away when it is for choosing how to sign in anew', async () => {
    const bob = await admin.signInAs('viewer', null, { name: 'Bob' });
    const { path } = await admin.deps.links.createResetLink(operator, bob.id);
    const answer = await comeBack(await begin({ link: path.split('/').at(-1)! }));
    expect(await browser.follow(answer)).toContain(' Bob</a>');
    expect(await admin.deps.admins.findAdmin(bob.id)).toMatchObject({ hasOidc: true, hasPassword: false });
    expect((await bob.get('/account')).status).toBe(303);
  });

  test('never has its token in the store or the log', async () => {
    const link = await invite();
    const kept: string[] = [];
    const { addNonce } = admin.deps.nonces;
    Object.assign(admin.deps.nonces, {
      addNonce: (...given: [string, string, Date]) => {
        kept.push(...given.slice(0, 2).map(String));
        return addNonce(...given);
      },
    });
    await comeBack(await begin({ link }));
    expect(kept.length).toBe(2);
    for (const text of [...kept, ...admin.log]) expect(text).not.toContain(link);
    expect(admin.log.join()).not.toContain('code=abc');
    expect(admin.log.join()).toContain('/admin/oidc/callback?');
  });
});

test('the cookie of a sign-in under way is for ten minutes, and not for scripts', async () => {
  const answer = await browser.post('/oidc/begin');
  const line = answer.headers.getSetCookie().find((each) => each.startsWith('skilldock_oidc='))!;
  expect(line).toMatch(/^skilldock_oidc=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  const expires = new Date(/Expires=([^;]+)/.exec(line)![1]!);
  expect(expires.getTime() - admin.clock.now().getTime()).toBe(10 * MINUTE);
});
