import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, type RunningAdmin, type SignedInBrowser, startAdmin } from './start-admin.ts';

let admin: RunningAdmin;
let ada: SignedInBrowser;

beforeAll(async () => {
  admin = await startAdmin();
  ada = await admin.signInAs('owner', null, { name: 'Ada' });
});
afterAll(() => admin.close());

const good = { name: 'Ada', password: PASSWORD };

describe('the language', () => {
  test('is that of the browser until another one is chosen', async () => {
    const browser = admin.visit('fr-CH, fr;q=0.9, en;q=0.8');
    const french = await browser.page('/sign-in');
    expect(french).toContain('<html lang="fr">');
    expect(french).toContain('<h1>Connexion</h1>');
    const answer = await browser.post('/language', { language: 'en', next: '/admin/sign-in?next=%2Fadmin' });
    expect(answer.headers.get('location')).toBe('/admin/sign-in?next=%2Fadmin');
    expect(answer.headers.getSetCookie()[0]).toMatch(/^skilldock_language=en; Path=\/; Expires=/);
    expect(await browser.follow(answer)).toContain('<h1>Sign in</h1>');
  });

  test('is English where we do not have what was asked for', async () => {
    expect(await admin.visit('it, pt').page('/sign-in')).toContain('<html lang="en">');
    const browser = admin.visit();
    await browser.post('/language', { language: 'klingon' });
    expect(await browser.page('/sign-in')).toContain('<html lang="en">');
  });

  test('is French in refusals too', async () => {
    const answer = await admin.visit('fr').post('/sign-in', { name: 'Ada', password: 'x' });
    expect(await answer.text()).toContain('Le nom ou le mot de passe est incorrect.');
    expect(await admin.visit('fr').page('/nowhere', 404)).toContain(
      'Il n’y a pas de page d’administration à cette adresse.',
    );
  });
});

describe('what is no page', () => {
  test.each(['/nowhere', '/tenants/a/b/c/d', '/sign-in/x'])('%s is not found', async (path) => {
    const text = await ada.page(path, 404);
    expect(text).toContain('There is no admin page at this address.');
    expect(text).toContain('Reference for the server’s operator:');
    expect(await admin.visit().page(path, 404)).toContain('There is no admin page at this address.');
  });

  test('an address that cannot be read is the caller’s mistake', async () => {
    expect((await ada.get('/tenants/%E0%A4%A')).status).toBe(400);
    expect(await (await ada.get('/sign-in%00')).text()).toContain('There is no admin page at this address.');
  });

  test.each(['PUT', 'DELETE', 'PATCH'])('%s is nothing', async (method) => {
    const answer = await fetch(`${admin.url}/admin/sign-in`, { method });
    expect(answer.status).toBe(404);
  });
});

describe('bodies', () => {
  test('that are too long are refused', async () => {
    const answer = await ada.post('/language', { next: 'x'.repeat(70_000) });
    expect(answer.status).toBe(413);
    expect(await answer.text()).toContain('The form is too large. Shorten your input.');
  });

  test('with very many fields are read as far as is sensible', async () => {
    const answer = await admin.visit().post('/sign-in', { ...good, tenants: Array(5_000).fill('x') });
    expect(answer.status).toBe(303);
  });

  test.each([
    ['application/json', JSON.stringify({ csrf: 'TOKEN', ...good })],
    ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="csrf"\r\n\r\nTOKEN\r\n--b--'],
    ['text/plain', 'csrf=TOKEN&name=Ada&password=x'],
  ])('that are %s and no form are refused', async (type, template) => {
    const browser = admin.visit();
    const csrf = await browser.findCsrf();
    const answer = await fetch(`${admin.url}/admin/sign-in`, {
      method: 'POST',
      headers: {
        'content-type': type,
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      body: template.replace('TOKEN', csrf),
    });
    expect(answer.status).toBe(403);
  });

  test('in an unknown character set are refused', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=klingon' };
    expect((await ada.post('/language', {}, { headers })).status).toBe(415);
  });
});
