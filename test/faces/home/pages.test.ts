import { expect, onTestFinished, test } from 'vitest';
import type { FaceState } from '../../../src/faces/home/deps.ts';
import { sendRaw } from '../../helpers/send-raw.ts';
import { type HomeOptions, startHome } from './start-home.ts';

async function open(options: HomeOptions = {}) {
  const home = await startHome(options);
  onTestFinished(() => home.close());
  return home;
}

/** Counts how often the catalogue is browsed for a page. */
function countBrowsing() {
  const counted = { times: 0, fails: false };
  const browse = async () => {
    counted.times++;
    return null;
  };
  return { counted, browsing: { browse } };
}

test.each(['/', '/browse'])('%s is rendered once for each language and version of the catalogue', async (path) => {
  const { counted, browsing } = countBrowsing();
  let version = 'one';
  const home = await open({ browsing, catalogVersion: async () => version });
  const pages = await Promise.all(Array.from({ length: 20 }, () => home.page(path)));
  expect(new Set(pages).size).toBe(1);
  expect(counted.times).toBe(1);
  const french = await (await home.get(path, { headers: { 'accept-language': 'fr' } })).text();
  expect(french).toContain('<html lang="fr">');
  expect(counted.times).toBe(2);
  version = 'two';
  await home.page(path);
  await home.page(path);
  expect(counted.times).toBe(3);
});

test('what an administrator sees is shown to nobody else', async () => {
  const faces: FaceState[] = [
    {
      id: 'slack',
      name: 'Slack',
      isOn: false,
      note: 'off',
      href: 'https://skills.example.org/admin/workspaces',
    },
  ];
  const home = await open({ faces });
  const asAdmin = async () => (await home.get('/connect', { headers: { cookie: 'admin=1' } })).text();
  expect(await home.page('/connect')).not.toContain('/admin/workspaces');
  expect(await asAdmin()).toContain('/admin/workspaces');
  expect(await home.page('/connect')).not.toContain('/admin/workspaces');
});

test('a page that lacks something is not kept', async () => {
  let fails = true;
  const { counted, browsing } = countBrowsing();
  const home = await open({
    browsing: {
      async browse() {
        if (fails) throw Object.assign(new Error('away'), { name: 'AbortError' });
        return browsing.browse();
      },
    },
  });
  const failed = await home.get('/');
  await failed.text();
  fails = false;
  await home.page('/');
  expect(counted.times).toBe(1);
});

test.each(['gzip', 'br', 'gzip;q=0, identity', 'deflate'])('for %s, the same page', async (accepted) => {
  const home = await open();
  const plain = await home.page('/');
  const response = await home.get('/', { headers: { 'accept-encoding': accepted } });
  const encoding = response.headers.get('content-encoding');
  expect(encoding).toBe(accepted === 'gzip' || accepted === 'br' ? accepted : null);
  expect(await response.text()).toBe(plain);
  expect(response.headers.get('vary')).toMatch(/accept-encoding/i);
  const tag = response.headers.get('etag')!;
  const again = await sendRaw(home.url, {
    method: 'GET',
    path: '/',
    headers: { 'if-none-match': tag, 'accept-encoding': accepted },
  });
  expect(again.status).toBe(304);
});
