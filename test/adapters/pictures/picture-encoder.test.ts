import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createPictureEncoder } from '../../../src/adapters/pictures/picture-encoder.ts';

const encoder = createPictureEncoder();

const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } });

test.each(['jpeg', 'png', 'webp', 'gif'] as const)(
  '%s becomes WebP of two widths, and JPEG',
  async (format) => {
    const encoded = await encoder.encode(await draw(1_600, 900).toFormat(format).toBuffer());
    const seen = await Promise.all(Object.values(encoded!).map((bytes) => sharp(bytes).metadata()));
    expect(seen.map(({ format: is, width, height }) => [is, width, height])).toEqual([
      ['webp', 320, 180],
      ['webp', 640, 360],
      ['jpeg', 320, 180],
    ]);
  },
);

test('a small one is not blown up, and the cover of a book stays as high as it is', async () => {
  const size = async (bytes: Uint8Array) => {
    const { width, height } = await sharp(bytes).metadata();
    return [width, height];
  };
  const icon = await encoder.encode(await draw(64, 64).png().toBuffer());
  expect(await size(icon!['640.webp'])).toEqual([64, 64]);
  const cover = await encoder.encode(await draw(1_000, 1_500).png().toBuffer());
  expect(await size(cover!['320.webp'])).toEqual([320, 480]);
  const ribbon = await encoder.encode(await draw(100, 4_000).png().toBuffer());
  expect((await size(ribbon!['320.webp']))[1]).toBeLessThanOrEqual(640);
});

test('nothing of what a camera writes into a photo is left, but the way up', async () => {
  const photo = await draw(600, 400)
    .withExif({ IFD0: { Copyright: 'Ada', Artist: 'Ada' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const { exif, width, height } = await sharp((await encoder.encode(photo))!['640.webp']).metadata();
  expect([exif, width, height]).toEqual([undefined, 400, 600]);
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
const half = async () => {
  const whole = await draw(600, 400).jpeg().toBuffer();
  return whole.subarray(0, whole.length / 2);
};

test.each([
  ['a drawing that is a program', () => Buffer.from(svg)],
  ['a page', () => Buffer.from('<!doctype html><p>Hello</p>')],
  ['nothing', () => Buffer.alloc(0)],
  ['half a picture', half],
  ['36 megapixels', () => draw(6_000, 6_000).png().toBuffer()],
  ['TIFF', () => draw(60, 60).tiff().toBuffer()],
])('%s is no picture', async (_, make) => {
  expect(await encoder.encode(await make())).toBeNull();
});
