import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { problemOf } from '../read-page.ts';
import { PASSWORD, type RunningAdmin, type SignedInBrowser, startAdmin } from '../start-admin.ts';

const NEXT = 'wagon onion paper rivers';

let admin: RunningAdmin;
let ada: SignedInBrowser;

beforeEach(async () => {
  admin = await startAdmin();
  ada = await admin.signInAs('viewer', null, { name: 'Ada' });
});
afterEach(() => admin.close());

const change = (fields: Record<string, string>, browser = ada) => browser.post('/account/password', fields);
const signIn = async (password: string) => {
  const browser = admin.visit();
  return { browser, status: (await browser.post('/sign-in', { name: 'Ada', password })).status };
};

describe('a new password', () => {
  test('takes the place of the old one, and ends the other sessions', async () => {
    const { browser: other } = await signIn(PASSWORD);
    const answer = await change({ current: PASSWORD, password: NEXT, repeated: NEXT });
    expect(await ada.follow(answer)).toContain('Password changed. Your other sessions have ended.');
    expect((await other.get('/account')).status).toBe(303);
    expect((await signIn(PASSWORD)).status).toBe(401);
    expect((await signIn(NEXT)).status).toBe(303);
  });

  const refusals: [string, Record<string, string>, string, string][] = [
    [
      'the present one is wrong',
      { current: 'wrong', password: NEXT, repeated: NEXT },
      'current',
      'This is not your current password.',
    ],
    [
      'the present one is missing',
      { current: '', password: NEXT, repeated: NEXT },
      'current',
      'Please fill in this field.',
    ],
    [
      'it is not the same twice',
      { current: PASSWORD, password: NEXT, repeated: 'x' },
      'repeated',
      'The two passwords do not match.',
    ],
    [
      'it is too short',
      { current: PASSWORD, password: 'short', repeated: 'short' },
      'password',
      'This password is too short.',
    ],
    [
      'it is too common',
      { current: PASSWORD, password: 'administrator', repeated: 'administrator' },
      'password',
      'This password is easy to guess:',
    ],
  ];

  test.each(refusals)('is refused when %s, and nothing is sent back', async (_, fields, field, problem) => {
    const answer = await change(fields);
    expect(answer.status).toBe(422);
    const text = await answer.text();
    expect(problemOf(text, field)).toContain(problem);
    for (const typed of [PASSWORD, NEXT]) expect(text).not.toContain(typed);
    expect((await signIn(PASSWORD)).status).toBe(303);
  });

  test('is refused in French', async () => {
    const french = await admin.signInAs('viewer', null, { language: 'fr' });
    const answer = await change({ current: 'x', password: NEXT, repeated: NEXT }, french);
    expect(await answer.text()).toContain('Ce n’est pas votre mot de passe actuel.');
  });

  test('cannot be guessed at without end', async () => {
    const wrong = { current: 'wrong', password: NEXT, repeated: NEXT };
    for (let i = 0; i < 10; i++) expect((await change(wrong)).status).toBe(422);
    const answer = await change({ ...wrong, current: PASSWORD });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '900']);
  });
});

test('the sessions are listed, this one marked, with what the browser says of itself escaped', async () => {
  const { browser } = await signIn(PASSWORD);
  await admin.visit().post('/sign-in', { name: 'Ada', password: PASSWORD }, { headers: { 'user-agent': '<b>x</b>' } });
  const text = await browser.page('/account');
  expect(text.match(/<td[^>]*>127\.0\.0\.1<\/td>/g)).toHaveLength(3);
  expect(text.match(/this session/g)).toHaveLength(1);
  expect(text).toContain('&lt;b&gt;x&lt;/b&gt;');
});

test('another session is ended with its button, not that of somebody else', async () => {
  const { browser: other } = await signIn(PASSWORD);
  const grace = await admin.signInAs('viewer', null, { name: 'Grace' });
  const [, action] = /action="\/admin(\/account\/sessions\/[\da-f]{64}\/end)"/.exec(
    await (await ada.get('/account')).text(),
  )!;
  await grace.post(action!, {});
  expect((await other.get('/account')).status).toBe(200);
  expect(await ada.follow(await ada.post(action!, {}))).toContain('Session ended.');
  expect((await other.get('/account')).status).toBe(303);
  expect((await ada.get('/account')).status).toBe(200);
});

test('whoever has no password here is not asked to change it', async () => {
  const record = (await admin.store.admins.findAdmin(ada.id))!;
  await admin.store.admins.replaceAdmin({ ...record, passwordHash: null, version: record.version + 1 });
  expect(await ada.page('/account')).not.toContain('/account/password');
});
