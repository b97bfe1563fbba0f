import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { openPictures } from '../../src/compose/pictures.ts';
import { readConfig } from '../../src/config.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { startWebSite } from '../fakes/web-site.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

test('pictures come from the public Internet only, whatever hosts the operator vouches for', async () => {
  const site = await startWebSite();
  onTestFinished(() => site.close());
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#246' } })
    .jpeg()
    .toBuffer();
  site.put('/a.jpg', (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo),
  );
  const find = async (settings: Record<string, string>) => {
    const pictures = openPictures({
      config: readConfig({ ALLOW_PRIVATE: new URL(site.origin).host, ...settings }),
      ...{ folder: join(makeTempDir(), 'pictures'), secrets: [Buffer.from('a secret')] },
      ...{ publicUrl: 'https://skills.example.org', version: '0.0.0', clock: systemClock },
      onProblem: () => undefined,
    });
    const token = pictures.linkTo(`${site.origin}/a.jpg`)!.small.split('/')[2]!;
    const { kind } = await pictures.find(token, '320.webp');
    await pictures.close();
    return kind;
  };
  expect(await find({ PUBLIC_URL: 'https://skills.example.org' })).toBe('none');
  expect(site.requests).toEqual([]);
  // Where somebody tries things out.
  expect(await find({})).not.toBe('none');
});
