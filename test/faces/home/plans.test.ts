import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPlanContent } from '../../../src/services/people/plans/plans.ts';
import { fullObject } from '../../fakes/learning-service.ts';
import { eraseData } from '../../helpers/open-services.ts';
import { textOf } from '../admin/read-page.ts';
import { type Home, startHome } from './start-home.ts';

const ada = { tenantId: 'default', person: 'lti:moodle:ada' };
const ben = { tenantId: 'default', person: 'lti:moodle:ben' };
const stranger = { tenantId: 'other', person: 'lti:canvas:eve' };

let home: Home;
let ids: Readonly<Record<'own' | 'shared' | 'token', string>>;
beforeAll(async () => {
  home = await startHome();
  const { plans } = home.services;
  const make = (name: string) => plans.make(ada, startPlanContent(name, [{ object: fullObject, requestId: null }]));
  const [own, { id: shared }] = [await make('Mine'), await make('A <plan>')];
  const { shareToken } = await plans.share(ada, shared, true);
  ids = { own: own.id, shared, token: shareToken! };
});
afterAll(() => home?.close());

/** The cookie that a ticket is exchanged for, as the browser sends it. */
async function signIn(person: typeof ada, path = '/plans'): Promise<string> {
  const ticket = home.services.personSessions.makeTicket(person);
  const answer = await home.get(`${path}?${new URLSearchParams({ ticket })}`);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, path]);
  const [cookie = ''] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-skilldock_person=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  return cookie.replace(/;.*/, '');
}

async function read(path: string, headers: Record<string, string> = {}) {
  const answer = await home.get(path, { headers });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

describe('a shared plan', () => {
  test('has a page and files for people of the institution', async () => {
    const cookie = await signIn(ben, `/plans/${ids.token}`);
    const { status, text, headers } = await read(`/plans/${ids.token}`, { cookie });
    expect(status).toBe(200);
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(text).toContain('<h1>A &lt;plan&gt;</h1>');
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).toContain('href="https://example.org/python"');
    expect(text).toContain(`href="/plans/${ids.token}/imscc"`);
    const file = await read(`/plans/${ids.token}/imscc`, { cookie });
    expect(file.headers.get('content-disposition')).toContain('A-plan.imscc');
    expect((await read(`/plans/${ids.token}/exe`, { cookie })).status).toBe(404);
    expect((await read(`/plans/${ids.shared}`, { cookie })).status).toBe(404);
  });

  test('has them for a key of the institution', async () => {
    expect((await read(`/plans/${ids.token}`, { 'x-api-key': 'default' })).status).toBe(200);
    expect((await read(`/plans/${ids.token}`, { 'x-api-key': 'other' })).status).toBe(403);
  });

  test.each([
    ['en', 'Open your plans in a new window'],
    ['fr', 'Ouvrir vos plans dans une nouvelle fenêtre'],
  ])('tells others how to open it: %s', async (language, words) => {
    const others = [{}, { cookie: await signIn(stranger) }, { cookie: '__Host-skilldock_person=v1.00000000.x' }];
    for (const headers of others) {
      const { status, text } = await read(`/plans/${ids.token}`, { ...headers, 'accept-language': language });
      expect([status, textOf(text).includes(words)]).toEqual([403, true]);
      expect((await read(`/plans/${ids.token}/csv`, headers)).status).toBe(403);
    }
  });
});

describe('the plans of a person', () => {
  test('are listed in the browser that knows the person, and have pages', async () => {
    const cookie = await signIn(ada);
    const { text } = await read('/plans', { cookie });
    expect(text).toContain(`<a href="/plans/${ids.own}">Mine</a>`);
    expect(textOf(text)).toContain('A <plan> 1 resource · shared');
    expect((await read(`/plans/${ids.own}`, { cookie })).text).toContain('<h1>Mine</h1>');
    expect((await read(`/plans/${ids.own}/csv`, { cookie })).status).toBe(200);
    expect((await read('/plans')).status).toBe(403);
    expect((await read(`/plans/${ids.own}`)).status).toBe(403);
    const leaving = await home.get('/plans', { method: 'POST', headers: { cookie, 'sec-fetch-site': 'same-origin' } });
    expect(leaving.headers.getSetCookie()[0]).toMatch(/^__Host-skilldock_person=; Path=\/; Expires=Thu, 01 Jan 1970/);
    const foreign = await home.get('/plans', { method: 'POST', headers: { cookie, 'sec-fetch-site': 'cross-site' } });
    expect(foreign.headers.getSetCookie()).toEqual([]);
  });

  test('are not opened by a ticket that is none, and tickets are in no log', async () => {
    const answer = await home.get('/plans?ticket=v1.00000000.forged');
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([303, []]);
    await signIn(ada);
    expect(home.log.filter((line) => line.includes('ticket')).length).toBeGreaterThan(1);
    for (const line of home.log) expect(line).not.toMatch(/ticket=[^…]/);
  });

  test('are closed again once the person is forgotten', async () => {
    const zoe = { tenantId: 'default', person: 'lti:moodle:zoe' };
    const cookie = await signIn(zoe);
    expect((await read('/plans', { cookie })).status).toBe(200);
    await eraseData(home.services, zoe);
    expect((await read('/plans', { cookie })).status).toBe(403);
  });
});
