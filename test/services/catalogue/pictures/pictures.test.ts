import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createPictureEncoder } from '../../../../src/adapters/pictures/picture-encoder.ts';
import { createPictureFiles } from '../../../../src/adapters/pictures/picture-files.ts';
import { createOutbound } from '../../../../src/adapters/remote/outbound.ts';
import {
  createNoPictures,
  createPictures,
  createPictureTokens,
  type Pictures,
} from '../../../../src/services/catalogue/pictures/pictures.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { startWebSite, type WebSite } from '../../../fakes/web-site.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';

/** One for all tests: each has a process. */
const encoder = createPictureEncoder();
afterAll(() => encoder.close());

const HOST = 'https://skills.example.org';
const HOUR_MS = 3_600_000;
const clock = createStandingClock();

let site: WebSite;
/** Another one that may be called. */
let other: WebSite;
/** On this machine too, but at a port that the operator did not allow. */
let closed: WebSite;
let outbound: ReturnType<typeof createOutbound>;
let pictures: Pictures;
let problems: unknown[];
let photo: Buffer;

beforeEach(async () => {
  [site, other, closed] = await Promise.all([startWebSite(), startWebSite(), startWebSite()]);
  problems = [];
  photo = await sharp({ create: { width: 800, height: 450, channels: 3, background: '#246' } })
    .jpeg()
    .toBuffer();
  const hosts = [site, other].map(({ origin }) => {
    const { hostname, port } = new URL(origin);
    return { host: hostname, port: Number(port) };
  });
  outbound = createOutbound({
    allowLoopback: false,
    allowHttp: true,
    privateAccess: { hosts, isOpenToOwners: false },
    version: 'test',
  });
  pictures = open();
});

afterEach(async () => {
  await pictures.close();
  await Promise.all([outbound.close(), site.close(), other.close(), closed.close()]);
});

const open = (waitMs = 5_000, folder = join(makeTempDir(), 'pictures')) =>
  createPictures({
    tokens: createPictureTokens([Buffer.from('a secret')]),
    outbound,
    files: createPictureFiles({ folder }),
    encoder,
    publicUrl: HOST,
    clock,
    onProblem: (error) => problems.push(error),
    waitMs,
  });

const putPhoto = (path: string, body: Buffer | string = photo, type = 'image/jpeg') =>
  site.put(path, (_request, response) => response.writeHead(200, { 'content-type': type }).end(body));

/** As a page asks that has the link. */
const tokenOf = (path: string, from = site.origin) => {
  const { small } = pictures.linkTo(from + path)!;
  return /^\/pictures\/([^/]+)\/320\.webp$/.exec(small)![1]!;
};
const find = (path: string) => pictures.find(tokenOf(path), '320.webp');

test('a picture is fetched once, whoever and whatever form is asked for, and encoded anew', async () => {
  putPhoto('/a.jpg');
  const token = tokenOf('/a.jpg');
  const found = await Promise.all(
    (['320.webp', '640.webp', '320.jpg'] as const).map((form) => pictures.find(token, form)),
  );
  const seen = await Promise.all(found.map((each) => ('bytes' in each ? sharp(each.bytes).metadata() : null)));
  expect(seen.map((each) => [each?.format, each?.width])).toEqual([
    ['webp', 320],
    ['webp', 640],
    ['jpeg', 320],
  ]);
  expect((await find('/a.jpg')).kind).toBe('picture');
  expect(site.requests).toEqual(['GET /a.jpg']);
});

test.each([
  ['a page', () => putPhoto('/x', '<p>Hello</p>', 'text/html')],
  ['a page that is called a picture', () => putPhoto('/x', '<p>Hello</p>')],
  ['SVG', () => putPhoto('/x', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml')],
  [
    'SVG that is called a PNG',
    () => putPhoto('/x', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', 'image/png'),
  ],
  ['3 MB', () => putPhoto('/x', Buffer.concat([photo, Buffer.alloc(3 * 1024 ** 2)]))],
  ['nothing there', () => undefined],
  [
    'a redirect to a private address',
    () =>
      site.put('/x', (_request, response) => void response.writeHead(302, { location: `${closed.origin}/x` }).end()),
  ],
])('%s is none, and is not asked for again for a day', async (_, put) => {
  put();
  closed.put('/x', (_request, response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo));
  const token = tokenOf('/x');
  const [seen] = [site.requests, await pictures.find(token, '320.webp')];
  expect((await pictures.find(token, '320.webp')).kind).toBe('none');
  expect(seen).toHaveLength(1);
  expect(closed.requests).toEqual([]);
  expect(pictures.linkTo(`${site.origin}/x`)).toBeNull();
  putPhoto('/x');
  clock.advance(23 * HOUR_MS);
  expect((await pictures.find(token, '320.webp')).kind).toBe('none');
  clock.advance(2 * HOUR_MS);
  expect((await pictures.find(token, '320.webp')).kind).toBe('picture');
  expect(problems).toEqual([]);
});

test.each([
  ['a broken connection', () => site.put('/x', (request) => void request.socket.destroy())],
  ['a site with a problem', () => site.put('/x', (_request, response) => response.writeHead(503).end())],
  ['too many requests', () => site.put('/x', (_request, response) => response.writeHead(429).end())],
])('%s is none for some minutes', async (_, put) => {
  put();
  const token = tokenOf('/x');
  expect((await pictures.find(token, '320.webp')).kind).toBe('none');
  putPhoto('/x');
  clock.advance(4 * 60_000);
  expect((await pictures.find(token, '320.webp')).kind).toBe('none');
  clock.advance(60_000);
  expect((await pictures.find(token, '320.webp')).kind).toBe('picture');
  expect(problems).toEqual([]);
});

test('a description that names a picture leads to it, once, and under the same rules', async () => {
  const describe = (path: string, address: string) =>
    putPhoto(path, JSON.stringify({ type: 'video', thumbnail_url: address }), 'application/json; charset=utf-8');
  putPhoto('/thumb.jpg');
  describe('/oembed', `${site.origin}/thumb.jpg`);
  expect((await find('/oembed')).kind).toBe('picture');
  describe('/twice', `${site.origin}/oembed`);
  describe('/private', `${closed.origin}/thumb.jpg`);
  describe('/nonsense', 'javascript:alert(1)');
  putPhoto('/other', '{"error":"no such video"}', 'application/json');
  putPhoto('/broken', '{', 'application/json');
  for (const path of ['/twice', '/private', '/nonsense', '/other', '/broken'])
    expect([path, (await find(path)).kind]).toEqual([path, 'none']);
  expect(closed.requests).toEqual([]);
  expect(problems).toEqual([]);
});

test('36 megapixels are none, however few bytes they take', async () => {
  const huge = await sharp({ create: { width: 6_000, height: 6_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  putPhoto('/huge.png', huge, 'image/png');
  expect((await find('/huge.png')).kind).toBe('none');
});

test('a private address is never called', async () => {
  const token = tokenOf('/a.jpg', closed.origin);
  expect((await pictures.find(token, '320.webp')).kind).toBe('none');
  expect(closed.requests).toEqual([]);
});

test('a slow one is on its way; nobody waits long, and all who ask wait for the same', async () => {
  const impatient = open(20);
  let answer: (() => void) | undefined;
  site.put('/slow', (_request, response) => {
    answer = () => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo);
  });
  const token = tokenOf('/slow');
  expect((await impatient.find(token, '320.webp')).kind).toBe('coming');
  expect((await impatient.find(token, '640.webp')).kind).toBe('coming');
  expect(site.requests).toEqual(['GET /slow']);
  answer?.();
  await expect.poll(async () => (await impatient.find(token, '320.webp')).kind).toBe('picture');
  await impatient.close();
});

test('two of a site are fetched at once, and all of them come', async () => {
  const paths = Array.from({ length: 12 }, (_, number) => `/${number}.jpg`);
  for (const path of paths) putPhoto(path);
  const found = await Promise.all(paths.map(find));
  expect(found.map(({ kind }) => kind)).toEqual(paths.map(() => 'picture'));
  expect(site.mostOpen).toBeLessThanOrEqual(2);
});

test('a site that never answers keeps none of another waiting, and is asked once, not for each of its pictures', async () => {
  const impatient = open(20);
  const slow = Array.from({ length: 40 }, (_, number) => tokenOf(`/${number}.jpg`, other.origin));
  const answers: (() => void)[] = [];
  for (const number of slow.keys())
    other.put(`/${number}.jpg`, (_request, response) => answers.push(() => response.writeHead(503).end()));
  for (const token of slow) expect((await impatient.find(token, '320.webp')).kind).toBe('coming');
  putPhoto('/a.jpg');
  const token = tokenOf('/a.jpg');
  await expect.poll(async () => (await impatient.find(token, '320.webp')).kind).toBe('picture');
  expect(other.requests).toHaveLength(2);
  for (const answer of answers) answer();
  await expect.poll(async () => (await impatient.find(slow[1]!, '320.webp')).kind).toBe('none');
  // While it rests, the others are neither asked for nor given up.
  for (const waiting of slow.slice(2)) expect((await impatient.find(waiting, '320.webp')).kind).toBe('coming');
  expect(other.requests).toHaveLength(2);
  await impatient.close();
});

test('what this host did not write is unknown, and fetches nothing', async () => {
  const token = createPictureTokens([Buffer.from('another')]).write(`${site.origin}/a.jpg`);
  expect(await pictures.find(token, '320.webp')).toEqual({ kind: 'unknown' });
  expect(site.requests).toEqual([]);
});

test.each([
  '',
  'data:image/png;base64,AA',
  'javascript:alert(1)',
  'ftp://a.example/a.png',
  'https://a.example/a.svg?v=2',
  'https://a.example:port/a.png',
  `https://a.example/${'a'.repeat(1_000)}`,
  `https://a.example/${'é'.repeat(500)}`,
])('%s has no link', (address) => {
  expect(pictures.linkTo(address)).toBeNull();
});

test('logos that this host draws are shown as they are, and where pictures are off nothing else is', async () => {
  const path = '/logos/youtube/light-square.svg';
  const off = createNoPictures(HOST);
  for (const each of [pictures, off])
    expect(each.linkTo(HOST + path)).toEqual({ small: path, large: path, plain: path });
  expect(pictures.linkTo(`${HOST}.evil.example/logos/a.png`)!.small).toMatch(/^\/pictures\//);
  expect(off.linkTo('https://a.example/a.png')).toBeNull();
  expect(await off.find(tokenOf('/a.jpg'), '320.webp')).toEqual({ kind: 'unknown' });
});

test('a logo is linked to once it is there', async () => {
  putPhoto('/logo.jpg');
  const address = `${site.origin}/logo.jpg`;
  expect(pictures.linkToStored(address)).toBeNull();
  await expect.poll(() => pictures.linkToStored(address)).toEqual(pictures.linkTo(address));
  expect(site.requests).toEqual(['GET /logo.jpg']);
  expect(pictures.linkToStored(`${site.origin}/gone.jpg`)).toBeNull();
  await expect.poll(() => pictures.linkTo(`${site.origin}/gone.jpg`)).toBeNull();
});

test('a host that closes waits for nobody', async () => {
  site.put('/never', () => undefined);
  const waiting = pictures.find(tokenOf('/never'), '320.webp');
  await expect.poll(() => site.requests).toEqual(['GET /never']);
  await pictures.close();
  expect((await waiting).kind).not.toBe('picture');
  expect(problems).toEqual([]);
});

test('a disk that takes nothing is told of, and the page is shown without', async () => {
  const full = createPictures({
    tokens: createPictureTokens([Buffer.from('a secret')]),
    outbound,
    files: { find: async () => null, keep: () => Promise.reject(new Error('no space left')) },
    encoder,
    publicUrl: HOST,
    clock,
    onProblem: (error) => problems.push(error),
  });
  putPhoto('/a.jpg');
  expect((await full.find(tokenOf('/a.jpg'), '320.webp')).kind).toBe('none');
  expect(problems).toHaveLength(1);
  const file = join(makeTempDir(), 'in-the-way');
  writeFileSync(file, '');
  const blocked = open(5_000, join(file, 'pictures'));
  expect((await blocked.find(tokenOf('/a.jpg'), '320.webp')).kind).toBe('none');
  expect(problems.length).toBeGreaterThan(1);
});
