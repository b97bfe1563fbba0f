import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { openPictures } from '../../src/compose/connections.ts';
import { readConfig } from '../../src/config.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { PUBLIC_ORIGIN, standAtPublicOriginHere, startWebSite } from '../fakes/web-site.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { openTestStore } from '../helpers/test-store.ts';

test('pictures come from the public Internet only, whatever the host is called and whom the operator vouches for', async () => {
  const site = await startWebSite();
  onTestFinished(() => site.close());
  await standAtPublicOriginHere(site);
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#246' } })
    .jpeg()
    .toBuffer();
  site.put('/a.jpg', (_request, response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo));
  const { host, port } = new URL(site.origin);
  const find = async (address: string, settings: Record<string, string>) => {
    const pictures = openPictures({
      config: readConfig(settings),
      folder: join(makeTempDir(), 'pictures'),
      secrets: [Buffer.from('a secret')],
      publicUrl: 'https://skills.example.org',
      version: '0.0.0',
      clock: systemClock,
      linkChecks: openTestStore(`${makeTempDir()}/store.db`).linkChecks,
      onProblem: () => undefined,
    });
    const token = pictures.linkTo(address)!.small.split('/')[2]!;
    // A request does not wait as long as a process may take to start.
    await expect.poll(async () => (await pictures.find(token, '320.webp')).kind).not.toBe('coming');
    const { kind } = await pictures.find(token, '320.webp');
    await pictures.close();
    return kind;
  };
  const settings = [
    {},
    { PUBLIC_URL: `http://localhost:${port}`, PORT: port },
    { PUBLIC_URL: 'https://skills.example.org', DEMO: '1', PORT: port },
    { ALLOW_PRIVATE: host, ALLOW_PRIVATE_UPSTREAM: '1' },
  ];
  for (const each of settings) expect(await find(`${site.origin}/a.jpg`, each)).toBe('none');
  expect(site.requests).toEqual([]);
  expect(await find(`${PUBLIC_ORIGIN}/a.jpg`, {})).toBe('picture');
});
