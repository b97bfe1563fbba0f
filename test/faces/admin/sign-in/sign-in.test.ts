import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNextAdminPage } from '../../../../src/faces/admin/route.ts';
import { PASSWORD, type RunningAdmin, type SignedInBrowser, startAdmin } from '../start-admin.ts';

const MINUTE = 60_000;

let admin: RunningAdmin;
let ada: SignedInBrowser;

beforeAll(async () => {
  admin = await startAdmin();
  ada = await admin.signInAs('owner', null, { name: 'Ada' });
});
afterAll(() => admin.close());

const good = { name: 'Ada', password: PASSWORD };

test('the name is taken in any case, and the browser goes on to the overview', async () => {
  const browser = admin.visit();
  const answer = await browser.post('/sign-in', { ...good, name: ' aDA ' });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/admin');
  expect(await browser.follow(answer)).toContain(' Ada</a>');
});

test.each([
  ['the password is wrong', { name: 'Ada', password: 'four words about something' }],
  ['nobody has the name', { name: 'Bob', password: PASSWORD }],
])('when %s, the same is said', async (_, fields) => {
  const browser = admin.visit();
  const answer = await browser.post('/sign-in', fields);
  expect(answer.status).toBe(401);
  const text = await answer.text();
  expect(text).toContain('The name or the password is wrong.');
  expect(text).toContain(`value="${fields.name}"`);
  expect(text).not.toContain(fields.password);
  expect(browser.cookies.has('skilldock_session')).toBe(false);
});

test('empty fields are named', async () => {
  const answer = await admin.visit().post('/sign-in', { name: ' ', password: '', next: '/admin/keys' });
  expect(answer.status).toBe(422);
  const text = await answer.text();
  expect(text).toContain('Please correct 2 fields');
  expect(text).toContain('<p class="problem" id="name-problem">Please fill in this field.</p>');
  expect(text).toContain('<p class="problem" id="password-problem">Please fill in this field.</p>');
  expect(text).toContain('name="next" value="/admin/keys"');
});

test('what was typed cannot become markup', async () => {
  const hostile = '"><script>alert(1)</script>';
  const text = await (await admin.visit().post('/sign-in', { name: hostile, password: 'x', next: hostile })).text();
  expect(text).not.toContain('<script>alert');
  expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('whoever is signed in is not asked again', async () => {
  const answer = await ada.get('/sign-in');
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin']);
});

test('the page that was wanted comes after the sign-in', async () => {
  const browser = admin.visit();
  const wanted = await browser.get('/audit?action=admin.joined&page=2');
  const signIn = wanted.headers.get('location')!;
  expect(signIn).toBe('/admin/sign-in?next=%2Fadmin%2Faudit%3Faction%3Dadmin.joined%26page%3D2');
  const next = /name="next" value="([^"]*)"/.exec(await browser.follow(wanted))![1]!;
  const answer = await browser.post('/sign-in', { ...good, next: next.replaceAll('&amp;', '&') });
  expect(answer.headers.get('location')).toBe('/admin/audit?action=admin.joined&page=2');
});

const elsewhere = [
  'https://evil.example',
  '//evil.example',
  '///evil.example',
  'https:evil.example',
  'https:/evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '\n//evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '/admin/..//evil.example',
  '/admin/%2e%2e//evil.example',
  '/admin/../../evil.example',
  '/admin@evil.example',
  '/admin.evil.example',
  '/administrator',
  '/',
  '/docs',
  'http://admin.invalid@evil.example/admin',
  '',
];

test.each(elsewhere)('next=%j does not lead away from the admin page', async (next) => {
  expect(readNextAdminPage(next)).toBe('/admin');
  const signedIn = await admin.visit().post('/sign-in', { ...good, next });
  const language = await admin.visit().post('/language', { language: 'fr', next });
  expect([signedIn.status, language.status]).toEqual([303, 303]);
  for (const answer of [signedIn, language]) expect(answer.headers.get('location')).toBe('/admin');
});

test.each([
  ['/admin', '/admin'],
  ['/admin/keys?q=a&page=1', '/admin/keys?q=a&page=1'],
  ['/admin/./keys', '/admin/keys'],
  ['/admin//evil.example', '/admin//evil.example'],
  ['http://admin.invalid/admin/keys', '/admin/keys'],
])('next=%j leads to %j', (next, to) => {
  expect(readNextAdminPage(next)).toBe(to);
});

describe('many failures', () => {
  const failures = (count: number, name: (i: number) => string, host: RunningAdmin) => {
    const browser = host.visit();
    return Array.from({ length: count }, async (_, i) =>
      browser.post('/sign-in', { name: name(i), password: 'wrong' }, { csrf: await browser.findCsrf() }),
    );
  };

  test('for one name are answered with a pause, also when the password is right, and the pause ends', async () => {
    const host = await startAdmin();
    try {
      await host.signInAs('owner', null, { name: 'Ada' });
      for (const answer of failures(10, () => 'Ada', host)) expect((await answer).status).toBe(401);
      const refused = await host.visit().post('/sign-in', good);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('900');
      const text = await refused.text();
      expect(text).toContain('Too many attempts. Try again in 15 min.');
      expect(text).toContain('value="Ada"');
      // Others are let in.
      await host.signInAs('viewer', null, { name: 'Bob' });
      host.clock.advance(15 * MINUTE);
      expect((await host.visit().post('/sign-in', good)).status).toBe(303);
    } finally {
      await host.close();
    }
  });

  test('for names that nobody has are counted like any', async () => {
    const host = await startAdmin();
    try {
      const answers = await Promise.all(failures(11, () => 'Nobody', host));
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429]);
    } finally {
      await host.close();
    }
  });

  test('from one address are answered with a pause, whatever the name', async () => {
    const host = await startAdmin();
    try {
      await host.signInAs('owner', null, { name: 'Ada' });
      await Promise.all(failures(30, (i) => `Name ${i}`, host));
      const refused = await host.visit().post('/sign-in', good);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900']);
    } finally {
      await host.close();
    }
  });

  test('do not end when one attempt succeeds', async () => {
    const host = await startAdmin();
    try {
      await host.signInAs('owner', null, { name: 'Ada' });
      await Promise.all(failures(9, () => 'Ada', host));
      expect((await host.visit().post('/sign-in', good)).status).toBe(303);
      await Promise.all(failures(1, () => 'Ada', host));
      expect((await host.visit().post('/sign-in', good)).status).toBe(429);
    } finally {
      await host.close();
    }
  });
});
