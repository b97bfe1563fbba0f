import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, type RunningAdmin, type SignedInBrowser, startAdmin } from '../start-admin.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let admin: RunningAdmin;
let ada: SignedInBrowser;

beforeAll(async () => {
  admin = await startAdmin();
  ada = await admin.signInAs('owner', null, { name: 'Ada' });
});
afterAll(() => admin.close());

const good = { name: 'Ada', password: PASSWORD };

describe('the session', () => {
  test('is a new one after every sign-in, whatever cookie the browser came with', async () => {
    const browser = admin.visit();
    browser.cookies.set('skilldock_session', 'an-attacker-chose-this-one-and-waits-for-it0');
    browser.cookies.set('skilldock_form', 'and-this-one');
    await browser.post('/sign-in', good);
    const first = browser.cookies.get('skilldock_session')!;
    expect(first).not.toContain('attacker');
    expect(first).toMatch(/^[\w-]{43}$/);
    // Signed in already, they sign in once more: the session of before is over.
    await browser.post('/sign-in', good);
    const second = browser.cookies.get('skilldock_session')!;
    expect(second).not.toBe(first);
    const old = admin.visit();
    old.cookies.set('skilldock_session', first);
    expect((await old.get('/account')).status).toBe(303);
    expect((await browser.get('/account')).status).toBe(200);
  });

  test('has its own token for forms, which ends with it', async () => {
    const browser = admin.visit();
    const before = await browser.findCsrf();
    await browser.post('/sign-in', good);
    expect((await browser.post('/language', {}, { csrf: before })).status).toBe(403);
    const within = await browser.findCsrf();
    expect((await browser.post('/language', {}, { csrf: within })).status).toBe(303);
    await browser.post('/sign-out');
    expect((await browser.post('/language', {}, { csrf: within })).status).toBe(403);
  });

  test('ends with the sign-out, also for whoever kept the cookie', async () => {
    const browser = admin.visit();
    await browser.post('/sign-in', good);
    const copy = admin.visit();
    copy.cookies.set('skilldock_session', browser.cookies.get('skilldock_session')!);
    expect((await copy.get('/account')).status).toBe(200);
    const answer = await browser.post('/sign-out');
    expect(await browser.follow(answer)).toContain('You have signed out.');
    expect(browser.cookies.has('skilldock_session')).toBe(false);
    expect((await copy.get('/account')).status).toBe(303);
  });

  test('ends everywhere', async () => {
    const bob = await admin.signInAs('viewer', null, { name: 'Bob' });
    const elsewhere = admin.visit();
    await elsewhere.post('/sign-in', { name: 'Bob', password: PASSWORD });
    const answer = await bob.post('/account/sign-out-everywhere');
    expect(await bob.follow(answer)).toContain('You have signed out everywhere.');
    for (const browser of [bob, elsewhere]) expect((await browser.get('/account')).status).toBe(303);
    expect((await ada.get('/account')).status).toBe(200);
  });

  test('ends when nothing is done for two hours, and goes on while something is', async () => {
    const busy = await admin.signInAs('viewer');
    const idle = await admin.signInAs('viewer');
    admin.clock.advance(HOUR + 59 * MINUTE);
    expect((await busy.get('/account')).status).toBe(200);
    admin.clock.advance(MINUTE);
    expect((await idle.get('/account')).status).toBe(303);
    expect((await busy.get('/account')).status).toBe(200);
  });

  test('ends after twelve hours, however busy', async () => {
    const browser = await admin.signInAs('viewer');
    for (let hour = 1; hour < 12; hour++) {
      admin.clock.advance(HOUR);
      expect((await browser.get('/account')).status).toBe(200);
    }
    admin.clock.advance(HOUR);
    expect((await browser.get('/account')).status).toBe(303);
  });

  test('that is over says so where it was needed', async () => {
    const browser = await admin.signInAs('viewer');
    const csrf = await browser.findCsrf();
    admin.clock.advance(2 * HOUR);
    expect((await browser.get('/audit')).headers.get('location')).toBe('/admin/sign-in?next=%2Fadmin%2Faudit');
    // What was about to be sent is not taken, and after the sign-in its page is there again.
    const headers = { referer: `${admin.url}/admin/account?notice=saved` };
    const sent = await browser.post('/account/password', {}, { csrf, headers });
    expect(sent.status).toBe(303);
    expect(sent.headers.get('location')).toBe('/admin/sign-in?next=%2Fadmin%2Faccount');
  });
});

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge, Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15',
    'Safari, macOS',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605 CriOS/140.0 Safari/604.1', 'Chrome, iOS'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox, Android'],
  ['curl/8.5.0', 'curl/8.5.0'],
])('a session is named after its browser: %s', async (userAgent, name) => {
  const browser = admin.visit();
  const headers = { 'user-agent': userAgent };
  await browser.post('/sign-in', good, { headers });
  expect(await (await browser.get('/account')).text()).toContain(`<span title="${userAgent}">${name}</span>`);
  await browser.post('/sign-out');
});

describe('cookies', () => {
  const linesOf = (answer: Response) => answer.headers.getSetCookie();

  test('cannot be read by scripts, nor sent by other sites', async () => {
    const browser = admin.visit();
    const form = linesOf(await browser.get('/sign-in'))[0]!;
    expect(form).toMatch(/^skilldock_form=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const session = linesOf(await browser.post('/sign-in', good))[0]!;
    expect(session).toMatch(/^skilldock_session=[\w-]{43}; Path=\/; Expires=\w{3}, [^;]+ GMT; HttpOnly; SameSite=Lax$/);
  });

  test('last as long as the session', async () => {
    const browser = admin.visit();
    const line = linesOf(await browser.post('/sign-in', good))[0]!;
    const expires = new Date(/Expires=([^;]+)/.exec(line)![1]!);
    expect(expires.getTime() - admin.clock.now().getTime()).toBe(12 * HOUR);
  });

  test('are for https and this host only, where the host is reached so', async () => {
    const behindProxy = await startAdmin({ publicUrl: 'https://skills.example.org' });
    try {
      const browser = behindProxy.visit();
      const [line] = linesOf(await browser.get('/sign-in'));
      expect(line).toMatch(/^__Host-skilldock_form=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      const signedIn = await behindProxy.signInAs('viewer');
      expect([...signedIn.cookies.keys()]).toContain('__Host-skilldock_session');
    } finally {
      await behindProxy.close();
    }
  });
});
