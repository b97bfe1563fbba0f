import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_TENANT } from '../../../src/domain/tenant.ts';
import { sealHandle } from '../../../src/faces/object-view/handle.ts';
import { fullObject } from '../../fakes/learning-service.ts';
import { type Home, startHome } from './start-home.ts';

let home: Home;

beforeEach(async () => {
  home = await startHome();
});
afterEach(() => home.close());

const post = (path: string, fields: Readonly<Record<string, string>>) =>
  home.get(path, { method: 'POST', body: new URLSearchParams(fields) });
const handles = async () =>
  [...(await home.page('/?q=python')).matchAll(/name="handle" value="([^"]+)"/g)].map(([, handle]) => handle!);

test('every result can be looked into: what it is, who made it, what one learns, and others like it', async () => {
  const [handle] = await handles();
  const page = await (await post('/look', { handle: handle! })).text();
  for (const known of [
    'Python for everybody',
    'YouTube',
    'Ada',
    'What you learn',
    'An introduction.',
    '1 h 30 min',
    'Lyon',
  ])
    expect(page).toContain(known);
  expect(page).toContain('Open on example.org');
  expect(page).toContain('example.org opens in a new tab.');
  // A page for those without scripts: the others stand there at once.
  expect(page).toContain('<html');
  expect(page).toMatch(/Similar resources[\s\S]*action="\/look"[\s\S]*Bare/);
});

test('the dialog gets only what is in it, and the others after that', async () => {
  const [handle] = await handles();
  const part = await (await post('/look', { handle: handle!, part: '1' })).text();
  expect(part).not.toContain('<html');
  expect(part).toContain('data-like');
  expect(part).not.toContain('Bare');
  const like = await (await post('/look/like', { handle: handle! })).text();
  expect(like).toContain('Bare');
  const [, next] = /name="handle" value="([^"]+)"/.exec(like)!;
  expect((await post('/look', { handle: next! })).status).toBe(200);
});

test('what may be framed is', async () => {
  const url = 'https://www.youtube.com/watch?v=BSaF8KxnoLY';
  const { keyring } = home.services;
  const handle = sealHandle({ object: { ...fullObject, url }, requestId: null }, { keyring, tenantId: DEFAULT_TENANT });
  const part = await (await post('/look', { handle, part: '1' })).text();
  expect(part).toContain('<iframe src="https://www.youtube-nocookie.com/embed/BSaF8KxnoLY?rel=0"');
});

test('nothing that no search of this page found can be looked into', async () => {
  const { keyring } = home.services;
  const other = sealHandle({ object: fullObject, requestId: null }, { keyring, tenantId: 'paris' });
  for (const handle of ['', 'v1.00000000.AAAA', other]) {
    for (const path of ['/look', '/look/like']) {
      const answer = await post(path, { handle });
      expect(answer.status).toBe(400);
      expect(await answer.text()).not.toContain('Python for everybody');
    }
  }
});

test('the front page and the look speak French', async () => {
  const french = { 'accept-language': 'fr' };
  const page = await (await home.get('/?q=python', { headers: french })).text();
  expect(page).toContain('Détails<span');
  const [, handle] = /name="handle" value="([^"]+)"/.exec(page)!;
  const body = new URLSearchParams({ handle: handle! });
  const look = await (await home.get('/look', { method: 'POST', headers: french, body })).text();
  expect(look).toContain('Ce qu’on y apprend');
});
