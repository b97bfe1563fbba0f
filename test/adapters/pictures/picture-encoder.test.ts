import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { createPictureEncoder } from '../../../src/adapters/pictures/picture-encoder.ts';
import { measureCpuMs } from '../../helpers/cpu-time.ts';

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

test('does not enlarge small pictures, nor crop covers of books', async () => {
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

test('removes the metadata of a camera, and applies its orientation', async () => {
  const photo = await draw(600, 400)
    .withExif({ IFD0: { Copyright: 'Ada', Artist: 'Ada' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const { exif, width, height } = await sharp((await encoder.encode(photo))!['640.webp']).metadata();
  expect([exif, width, height]).toEqual([undefined, 400, 600]);
});

test('grey, of a palette, of 16 bits and of four inks are pictures too, with their colours and what is clear in them', async () => {
  const red = () => draw(800, 400).flatten();
  const middle = async (bytes: Uint8Array) => {
    const { channels } = await sharp(bytes).stats();
    return channels.map(({ mean }) => Math.round(mean));
  };
  const encode = async (made: Sharp) => encoder.encode(await made.toBuffer());
  for (const made of [red().png({ palette: true }), red().toColourspace('rgb16').png(), red().gif()]) {
    const [r, g, b] = await middle((await encode(made))!['320.webp']);
    expect([Math.abs(r! - 100) < 4, Math.abs(g! - 15) < 4, Math.abs(b! - 15) < 4]).toEqual([
      true,
      true,
      true,
    ]);
  }
  expect((await encode(red().toColourspace('cmyk').jpeg()))!['640.webp']).toBeDefined();
  const grey = await encode(draw(800, 400).greyscale().png());
  const [clear, flat] = await Promise.all([middle(grey!['640.webp']), middle(grey!['320.jpg'])]);
  expect([clear.length, clear[3], flat.length]).toEqual([4, 128, 3]);
});

test('refuses an extremely thin picture, without much time or memory', async () => {
  await encoder.encode(await draw(12_000, 1).png().toBuffer());
  const threads = [writeBlackPng(23_990_000, 1), writeBlackPng(1, 23_990_000)];
  const before = process.memoryUsage().rss;
  const cpuMs = await measureCpuMs(async () => {
    for (const thread of threads) expect(await encoder.encode(thread)).toBeNull();
  });
  expect(cpuMs).toBeLessThan(1_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2);
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
  ['what is wider than 12,000 pixels', () => draw(12_001, 1).png().toBuffer()],
  ['what is higher', () => draw(1, 12_001).gif().toBuffer()],
  ['TIFF', () => draw(60, 60).tiff().toBuffer()],
])('%s is no picture', async (_, make) => {
  expect(await encoder.encode(await make())).toBeNull();
});

test('accepts a picture of 12,000 pixels', async () => {
  expect(await encoder.encode(await draw(12_000, 20).png().toBuffer())).not.toBeNull();
});

/** As sharp would take long to draw it. */
function writeBlackPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits of red, green and blue.
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const rows = deflateSync(Buffer.alloc((3 * width + 1) * height));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
