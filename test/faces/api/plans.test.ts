import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLANS_PATH } from '../../../src/contract/index.ts';
import { plan } from '../../contract/store/plans.ts';
import type { RunningApp } from '../../helpers/app.ts';
import { bothWays } from '../../helpers/both-ways.ts';

const [way] = bothWays;
let app: RunningApp;
let headers: Record<string, string>;
let document: {
  paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>>;
};
beforeAll(async () => {
  app = await way!.startApp();
  headers = { 'x-api-key': await app.createKey() };
  document = await (await fetch(`${app.url}/openapi.json`)).json();
});
afterAll(() => app.close());

const ajv = new Ajv2020({
  strict: true,
  keywords: ['x-skilldock-extension'],
  formats: { uri: /^[a-z][a-z0-9+.-]*:/i, 'date-time': true, date: true },
});

/** The answer, which follows the document. */
async function ask(method: 'get' | 'post' | 'delete', path = '', body?: object) {
  const address = path === '' ? PLANS_PATH : `${PLANS_PATH}/{id}`;
  const response = await fetch(app.url + PLANS_PATH + path, {
    method: method.toUpperCase(),
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.status === 200) {
    const validate = ajv.compile(
      document.paths[address]![method]!.responses['200']!.content['application/json']!.schema,
    );
    expect(validate(answer), ajv.errorsText(validate.errors)).toBe(true);
  }
  return { status: response.status, answer };
}

test('a program makes a plan from a syllabus, reads it, lists it and removes it', async () => {
  const text = 'Programming\n\nWeek 1: Python\nVariables and loops\n\nWeek 2: SQL\nTables and joins';
  const { answer: made } = await ask('post', '', { text, lang: 'en', expected_hours: 20 });
  expect([made.name, made.expected_hours]).toEqual(['Programming', 20]);
  expect(made.sections.map(({ title }: { title: string }) => title)).toEqual(['Week 1: Python', 'Week 2: SQL']);
  expect(made.objects).toBeGreaterThan(1);
  expect((await ask('get', `/${made.id}`)).answer).toEqual(made);
  expect((await ask('get')).answer).toMatchObject({ total: 1, plans: [{ id: made.id, name: 'Programming' }] });
  // From its own objects, with notes.
  const { object } = made.sections[0].items[0];
  const sections = [
    { title: 'A', hours: 2, objects: [{ url: object.url, title: object.title, note: 'First', graded: true }] },
  ];
  const { answer: second } = await ask('post', '', { name: 'By hand', sections });
  expect(second.sections[0]).toMatchObject({
    hours: 2,
    items: [{ object: { url: object.url }, note: 'First', graded: true }],
  });
  for (const { id } of [made, second]) expect((await ask('delete', `/${id}`)).answer).toEqual({ id });
  expect((await ask('get', `/${made.id}`)).status).toBe(404);
});

test('a program copies a plan that a person shared', async () => {
  const [id, shareToken] = ['ada-plan', 'T'.repeat(22)];
  await app.store.plans.savePlan(plan(id, { tenantId: 'default', name: 'Ada’s', sections: [], shareToken }));
  expect((await ask('get', `/${id}`)).status).toBe(404);
  expect((await ask('get', `/${shareToken}`)).answer).toMatchObject({ id, name: 'Ada’s' });
  const { answer: copy } = await ask('post', '', { copy_of: shareToken });
  expect([copy.name, copy.share_token, copy.id === id]).toEqual(['Ada’s', null, false]);
});

test.each([
  ['nothing', {}, 400, 'PARAMETERS_INVALID'],
  ['an empty text', { text: ' ' }, 400, 'PARAMETERS_INVALID'],
  [
    'an object that nobody knows',
    { name: 'x', sections: [{ title: '', objects: [{ url: 'https://example.org/none' }] }] },
    404,
    'OBJECT_UNKNOWN',
  ],
  ['a link that is none', { copy_of: 'x' }, 404, 'PLAN_UNKNOWN'],
])('a plan is not made from %s', async (_, body, status, code) => {
  expect(await ask('post', '', body)).toMatchObject({ status, answer: { code } });
});

test('plans need a key, and have no other methods', async () => {
  expect((await fetch(app.url + PLANS_PATH)).status).toBe(401);
  const put = await fetch(app.url + PLANS_PATH, { method: 'PUT', headers });
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
});
