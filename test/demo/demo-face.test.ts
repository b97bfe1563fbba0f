import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { claim } from '../../demo/platform/vocabulary.ts';
import { chooseInDemo, readMessage } from './choose-in-demo.ts';
import { type RunningDemo, startDemo } from './start-demo.ts';

let demo: RunningDemo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());
afterEach(() => {
  demo.services.problems.length = 0;
});

const listDemo = async () => {
  const request = { scope: null, search: '', sort: 'createdAt', descending: false } as const;
  const { items } = await demo.services.ltiRegistrations.listRegistrations({
    ...request,
    page: 0,
    pageSize: 100,
  });
  return items.filter(({ origin }) => origin === 'demo');
};

const item = (more: object = {}) => ({ type: 'ltiResourceLink', title: 'Averages', ...more });
const graded = item({ title: 'Spread', lineItem: { scoreMaximum: 10 } });
const courseAfter = (page: string) => /data-course="([^"]*)"/.exec(page)![1]!.replaceAll('&amp;', '&');
const idOf = (page: string, title: string) => new RegExp(`/items/(\\d+)\\?[^"]*">${title}<`).exec(page)?.[1];

test('nothing is made before somebody comes, and then one tenant with one registration', async () => {
  expect(await listDemo()).toEqual([]);
  await Promise.all([demo.page(''), demo.page('?as=lea')]);
  const [registration, ...others] = await listDemo();
  expect(others).toEqual([]);
  expect(registration).toMatchObject({ issuer: demo.url, name: 'Demo course', status: 'active' });
  const { name } = await demo.services.tenants.getTenant(registration!.tenantId);
  expect(name).toBe('Demo course');
});

test('a host that was started again goes on with what it has', async () => {
  await demo.page('');
  const before = await listDemo();
  demo.restart();
  await demo.page('');
  expect(await listDemo()).toEqual(before);
});

test('the name of the tool leads to the other one', async () => {
  const response = await fetch(`${demo.toolUrl}/demo/?as=lea`, { redirect: 'manual' });
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe(`${demo.url}/?as=lea`);
});

test('pages are framed by the course alone, and frame the tool', async () => {
  const policy = (await demo.get('')).headers.get('content-security-policy')!;
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).toContain(`frame-src 'self' ${demo.toolUrl}`);
  expect(policy).not.toContain('unsafe');
});

test('pages speak the language of the browser, or the one that was chosen', async () => {
  const french = await (await demo.get('', { headers: { 'accept-language': 'fr-CA' } })).text();
  expect(french).toContain('Introduction à l’analyse de données');
  expect(await demo.page('?lang=fr')).toContain('<html lang="fr">');
  const message = await readMessage(demo, '/launch/choose/python?lang=fr');
  expect(message).toMatchObject({
    locale: 'fr',
    [claim.context]: { title: 'Introduction à l’analyse de données' },
  });
});

test('each part of the course says what is to be chosen for it', async () => {
  const settings = (await readMessage(demo, '/launch/choose/python?lang=fr'))[claim.deepLinkingSettings];
  expect(settings).toMatchObject({
    title: 'Programmer en Python',
    text: 'Lire un tableau avec un programme, le nettoyer et dessiner ce qu’il contient.',
  });
});

test('whoever comes back is who they were, and reads what they read', async () => {
  await chooseInDemo(demo, [item({ title: 'Returned from' })]);
  const id = idOf(await demo.page(''), 'Returned from')!;
  const message = await readMessage(demo, `/launch/item/${id}?as=noah&lang=fr`);
  const { return_url: returnUrl } = message[claim.presentation] as { return_url: string };
  const back = await fetch(returnUrl, { redirect: 'manual' });
  expect(back.headers.get('location')).toBe('/demo?as=noah&lang=fr');
});

test('a refusal on the way is in the language of the course, and leads back for the same person', async () => {
  await chooseInDemo(demo, [item({ title: 'Refused' })]);
  const id = idOf(await demo.page(''), 'Refused')!;
  const login = new URL((await demo.get(`/launch/item/${id}?as=noah&lang=fr`)).headers.get('location')!);
  const refused = await demo.get(`/lti/authorize?${login.searchParams}`);
  expect(refused.status).toBe(400);
  const page = await refused.text();
  expect(page).toContain('<html lang="fr">');
  expect(page).toContain('href="/demo?as=noah&amp;lang=fr"');
});

test('what was chosen stands in its part of the course, and a learner opens it', async () => {
  const response = await chooseInDemo(demo, [item({ title: '<b>Averages</b>', text: '"quoted" & <i>' }), graded]);
  expect(response.status).toBe(200);
  expect(courseAfter(await response.text())).toBe('/demo?as=ines&lang=en&added=2');
  const page = await demo.page('?as=lea');
  expect(page).toContain('&lt;b&gt;Averages&lt;/b&gt;');
  expect(page).not.toContain('<b>Averages');
  const id = idOf(page, 'Spread')!;
  expect(page.indexOf(`/items/${id}`)).toBeGreaterThan(page.indexOf('id="statistics"'));
  expect(await demo.page(`/items/${id}?as=lea`)).toContain(`/launch/item/${id}?as=lea`);
  expect(await readMessage(demo, `/launch/item/${id}?as=lea`)).toMatchObject({
    sub: 'lea',
    [claim.messageType]: 'LtiResourceLinkRequest',
    [claim.resourceLink]: { id, title: 'Spread' },
  });
});

test('learners have nothing to add or to remove', async () => {
  await chooseInDemo(demo, [item()]);
  expect(await demo.page('')).toMatch(/data-choose|\/remove/);
  expect(await demo.page('?as=lea')).not.toMatch(/data-choose|\/remove/);
});

test('a removed item is gone', async () => {
  await chooseInDemo(demo, [item({ title: 'To be removed' })]);
  const id = idOf(await demo.page(''), 'To be removed')!;
  const response = await demo.post(`/items/${id}/remove?as=ines&lang=en`);
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe('/demo?as=ines&lang=en&notice=removed');
  expect(await demo.page('')).not.toContain('To be removed');
  for (const path of [`/items/${id}`, `/launch/item/${id}`]) {
    const gone = await demo.get(`${path}?lang=fr`);
    expect(gone.status).toBe(404);
    expect(await gone.text()).toContain('Cet élément n’est plus dans le cours');
  }
});

test('a course that is nearly full takes what it has room for, and says in their language what it has not', async () => {
  await demo.post('/reset');
  const many = Array.from({ length: 100 }, (_, i) => item({ title: `Item ${i}` }));
  for (let times = 1; times < 5; times += 1) await chooseInDemo(demo, many);
  await chooseInDemo(demo, many.slice(1));
  const twoMore = [item({ title: 'The last' }), item({ title: 'Too much' })];
  const answer = await (await chooseInDemo(demo, twoMore, '?lang=fr')).text();
  expect(demo.services.problems).toEqual([]);
  const course = courseAfter(answer);
  expect(course).toBe('/demo?as=ines&lang=fr&added=1&left=1');
  const page = await demo.page(course.slice('/demo'.length));
  expect(page).toContain('1 élément a été ajouté.');
  expect(page).toContain('Faute de place, 1 élément n’a pas été ajouté');
  expect(page).toContain('The last');
  expect(page).not.toContain('Too much');
  expect(page).not.toContain('data-choose');
});

test('resetting removes the tenant with all that it had, and makes another one', async () => {
  await demo.page('');
  await demo.post('/reset');
  const [before] = await listDemo();
  await chooseInDemo(demo, [graded]);
  expect((await demo.post('/reset')).status).toBe(303);
  const [after, ...others] = await listDemo();
  expect(others).toEqual([]);
  expect(after!.clientId).not.toBe(before!.clientId);
  expect(await demo.services.tenants.findTenant(before!.tenantId)).toBeNull();
  expect(await demo.page('')).not.toContain('Spread');
  expect(demo.services.problems).toEqual([]);
});

test('many who reset at once reset once', async () => {
  await demo.page('');
  const before = await countRemoved();
  const answers = await Promise.all(Array.from({ length: 5 }, () => demo.post('/reset')));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
  expect(await countRemoved()).toBe(before + 1);
});

/** Tenants, so far. */
async function countRemoved(): Promise<number> {
  const wanted = { scope: null, action: 'tenant.deleted', period: { from: null, until: null }, search: '' };
  const page = { page: 0, pageSize: 1, ascending: true };
  return (await demo.services.audit.listEntries({ ...wanted, ...page })).total;
}

test('a registration that an administrator removed is made anew, and links of the old one are gone', async () => {
  await chooseInDemo(demo, [item({ title: 'Old' })]);
  const [before] = await listDemo();
  await demo.services.tenants.deleteTenant({ kind: 'system', id: null, name: 'x', address: null }, before!.tenantId);
  expect(await demo.page('')).not.toContain('Old');
  const [after] = await listDemo();
  expect(after!.clientId).not.toBe(before!.clientId);
});

test.each([
  ['without an origin', {}],
  ['of the tool', { origin: 'http://localhost:1' }],
  ['of nobody', { origin: 'null' }],
])('forms %s are refused', async (_, headers: Record<string, string>) => {
  const [before] = await listDemo();
  expect((await demo.post('/reset', headers)).status).toBe(403);
  expect(await listDemo()).toEqual([before]);
});

test('what is too large, or nowhere, is refused', async () => {
  const large = await fetch(`${demo.url}/lti/deep-linking?session=x`, {
    method: 'POST',
    body: 'x'.repeat(300_000),
  });
  expect(large.status).toBe(413);
  expect((await demo.get('/lti/nothing')).status).toBe(404);
  expect((await demo.get('/nothing')).status).toBe(404);
  expect((await demo.get('/lti/constructor')).status).toBe(404);
});

test('notices say what was done, and nothing that an address makes up', async () => {
  expect(await demo.page('?added=3')).toContain('3 items were added.');
  for (const query of ['?added=1e9', '?added=-1', '?added=x', '?notice=constructor'])
    expect(await demo.page(query)).not.toContain('class="notice"');
});
