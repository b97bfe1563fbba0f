import { afterEach, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { bareObject, fullObject } from '../../../fakes/learning-service.ts';
import { type OpenedObject, openObject, textOf } from './open-object.ts';

let opened: OpenedObject;
afterEach(() => opened.close());

const GONE = 'The search no longer finds this';

test('lists objects for the same skills, each opening in a new tab', async () => {
  opened = await openObject();
  const html = await opened.part('/object/similar', await opened.launch());
  expect(html).not.toContain('<html');
  expect(textOf(html)).toMatch(/^Bare .*also for (?:Python|Teaching)/);
  expect(html).toContain('target="_blank" rel="noopener noreferrer"');
  expect(html).not.toContain('Python for everybody');
  expect(html).not.toContain('<form');
});

test('is a page without a script', async () => {
  opened = await openObject();
  const html = await opened.page('/object/similar', await opened.launch());
  expect(html).toContain('<html lang="en">');
  expect(textOf(html)).toContain('Bare');
});

test('warns learners and instructors when a search no longer finds the object', async () => {
  const object = { ...fullObject, url: 'https://example.org/withdrawn' };
  opened = await openObject({ object });
  for (const token of [await opened.launch(), await opened.teach()])
    expect(textOf(await opened.part('/object/similar', token))).toContain(`${GONE}`);
  const query = opened.services.local.calls.searches.find(({ keywords }) => keywords === object.title);
  expect(query).toMatchObject({ providers: ['youtube'], page: 0 });
});

test.each<[string, Partial<typeof fullObject>]>([
  ['it is found', {}],
  ['it is found under another spelling', { url: 'http://www.example.org/python/?utm_source=x' }],
  ['its provider is not known', { url: 'https://example.org/withdrawn', provider: 'Elsewhere' }],
])('does not warn where %s', async (_, changes) => {
  opened = await openObject({ object: { ...fullObject, ...changes } });
  expect(textOf(await opened.part('/object/similar', await opened.launch()))).not.toContain(GONE);
});

test('does not warn or fail when the search cannot answer', async () => {
  opened = await openObject({ object: { ...fullObject, url: 'https://example.org/withdrawn' } });
  const fail = () => Promise.reject(new AppError('UPSTREAM_UNREACHABLE', 'It is away.'));
  Object.assign(opened.services.local, { searchProvider: fail, searchMany: fail, tagger: fail });
  const text = textOf(await opened.part('/object/similar', await opened.launch()));
  expect(text).toBe('No similar resources.');
});

test('lets instructors replace the object with a similar one and the same settings', async () => {
  opened = await openObject({ completion: 'viewed', points: 7 });
  const token = await opened.teach();
  const html = await opened.part('/object/similar', token);
  const [, handle] = /name="handle" value="([^"]+)"/.exec(html)!;
  const response = await opened.send('/object/replace', token, { handle: handle! });
  const page = await (await fetch(opened.url + response.headers.get('location'))).text();
  expect(textOf(page)).toContain('Resource replaced.');
  const { placement } = await opened.find();
  expect(placement).toMatchObject({ title: 'Bare', object: bareObject, completion: 'viewed', points: 7 });
});

test('refuses a replacement by others, and one that no search found', async () => {
  opened = await openObject();
  const html = await opened.part('/object/similar', await opened.teach());
  const [, handle] = /name="handle" value="([^"]+)"/.exec(html)!;
  expect((await opened.send('/object/replace', await opened.launch(), { handle: handle! })).status).toBe(403);
  const forged = await opened.send('/object/replace', await opened.teach(), { handle: 'forged' });
  expect(forged.status).toBe(400);
  expect((await opened.find()).placement.id).toBe(opened.placementId);
});
