import { afterEach, beforeEach, expect, test } from 'vitest';
import { fromBase32, makeAppCode } from '../../../../src/services/tenants/admins/second-factor.ts';
import { fieldOf, problemOf } from '../read-page.ts';
import { PASSWORD, type RunningAdmin, type SignedInBrowser, startAdmin } from '../start-admin.ts';

let admin: RunningAdmin;
let ada: SignedInBrowser;

beforeEach(async () => {
  admin = await startAdmin();
  ada = await admin.signInAs('manager', ['default'], { name: 'Ada' });
});
afterEach(() => admin.close());

const codeAt = (secret: string, steps = 0) =>
  makeAppCode(fromBase32(secret), Math.floor(admin.clock.now().getTime() / 30_000) + steps);

/** Sets the second factor up as the page says. @returns its secret and the recovery codes */
async function setUp(browser: SignedInBrowser) {
  const page = await browser.page('/account/second-factor');
  const secret = /<code>([A-Z2-7 ]{39})<\/code>/.exec(page)![1]!.replaceAll(' ', '');
  const fields = { sealed: fieldOf(page, 'sealed')!, code: codeAt(secret), password: PASSWORD };
  const text = await (await browser.post('/account/second-factor', fields)).text();
  const codes = [...text.matchAll(/<code>([A-Z2-7-]{27})<\/code>/g)].map(([, code]) => code!);
  admin.clock.advance(30_000);
  return { secret, codes };
}

async function beginSignIn() {
  const visitor = admin.visit();
  const answer = await visitor.post('/sign-in', { name: 'Ada', password: PASSWORD, next: '/admin/keys' });
  expect(answer.status).toBe(200);
  const page = await answer.text();
  expect(page).toContain('autocomplete="one-time-code"');
  return { visitor, fields: { pending: fieldOf(page, 'pending')!, next: fieldOf(page, 'next')! } };
}

test('is drawn and written, turned on with a code, and asked for at the next sign-in', async () => {
  const page = await ada.page('/account/second-factor');
  expect(page).toMatch(/<svg [^>]*viewBox/);
  expect(page).not.toMatch(/ style=/);
  const { secret, codes } = await setUp(ada);
  expect(codes).toHaveLength(10);
  expect(await ada.page('/account')).toContain('10 recovery codes are left');
  const { visitor, fields } = await beginSignIn();
  expect((await visitor.get('/account')).status).toBe(303);
  const wrong = await visitor.post('/sign-in/code', { ...fields, code: '000000' });
  expect(wrong.status).toBe(401);
  const right = await visitor.post('/sign-in/code', { ...fields, code: codeAt(secret) });
  expect(right.headers.get('location')).toBe('/admin/keys');
  expect((await visitor.get('/account')).status).toBe(200);
  const other = await beginSignIn();
  const lost = await other.visitor.post('/sign-in/code', { ...other.fields, code: codes[0]! });
  expect(lost.status).toBe(303);
});

test('shows the same secret again where the code or the password is wrong', async () => {
  const page = await ada.page('/account/second-factor');
  const sealed = fieldOf(page, 'sealed')!;
  const [, secret] = /<code>([A-Z2-7 ]{39})<\/code>/.exec(page)!;
  for (const [fields, field] of [
    [{ code: '000000', password: PASSWORD }, 'code'],
    [{ code: codeAt(secret!.replaceAll(' ', '')), password: 'wrong' }, 'password'],
  ] as const) {
    const answer = await ada.post('/account/second-factor', { sealed, ...fields });
    expect(answer.status).toBe(422);
    const text = await answer.text();
    expect(text).toContain(`<code>${secret}</code>`);
    expect(problemOf(text, field)).toBeTruthy();
  }
});

test('waits for a code five minutes', async () => {
  const { secret } = await setUp(ada);
  const { visitor, fields } = await beginSignIn();
  admin.clock.advance(300_000);
  const late = await visitor.post('/sign-in/code', { ...fields, code: codeAt(secret) });
  expect(late.headers.get('location')).toBe('/admin/sign-in?notice=sign-in-too-slow');
});

test('is removed by its person with the password, or by an owner', async () => {
  await setUp(ada);
  expect((await ada.post('/account/second-factor/remove', { password: 'wrong' })).status).toBe(422);
  const removed = await ada.post('/account/second-factor/remove', { password: PASSWORD });
  expect(await ada.follow(removed)).toContain('Second factor removed.');
  await setUp(ada);
  const owner = await admin.signInAs('owner', null, { name: 'Olga' });
  const [, id] = /admins\/([\w-]+)">Ada</.exec(await owner.page('/admins'))!;
  expect((await ada.post(`/admins/${id}/second-factor/remove`, {})).status).toBe(403);
  const answer = await owner.post(`/admins/${id}/second-factor/remove`, {});
  expect(await owner.follow(answer)).not.toContain('recovery codes, remove');
});

test('that a tenant requires is set up before anything else opens', async () => {
  const owner = await admin.signInAs('owner', null, { name: 'Olga' });
  const version = fieldOf(await owner.page('/tenants/default'), 'version')!;
  expect((await ada.post('/tenants/default/second-factor', { version, required: 'yes' })).status).toBe(403);
  await owner.post('/tenants/default/second-factor', { version, required: 'yes' });
  for (const path of ['', '/keys', '/tenants/default', '/account'])
    expect((await ada.get(path)).headers.get('location'), path).toBe('/admin/account/second-factor');
  const sent = await ada.post('/tenants/default/keys', { name: 'x' });
  expect(sent.headers.get('location')).toBe('/admin/account/second-factor');
  await setUp(ada);
  expect((await ada.get('/keys')).status).toBe(200);
  const elsewhere = await admin.addTenant('Elsewhere');
  const max = await admin.signInAs('manager', [elsewhere.id], { name: 'Max' });
  expect((await max.get('/keys')).status).toBe(200);
});
