import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { reducePicture } from '../../../src/adapters/pictures/reduce-picture.ts';

const draw = (width = 60, height = 40, alpha = 0.5) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 90, alpha } } });

/** With everything beside the pixels that sharp writes. */
const burden = (picture: Sharp) =>
  picture
    .withExif({ IFD0: { Copyright: 'Ada', Artist: 'x'.repeat(9_000) } })
    .withIccProfile('p3')
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${'y'.repeat(9_000)}</x:xmpmeta>`)
    .withMetadata({ orientation: 6 });

const film = () =>
  sharp(Buffer.alloc(40 * 120 * 3, 90), { raw: { width: 40, height: 120, channels: 3, pageHeight: 40 } });

const pictures: Readonly<Record<string, () => Sharp>> = {
  png: () => burden(draw()).png(),
  'png of a palette': () => burden(draw()).png({ palette: true }),
  'png, interlaced, of 16 bits': () => draw().toColourspace('rgb16').png({ progressive: true }),
  jpeg: () => burden(draw().flatten()).jpeg(),
  'jpeg, progressive': () => burden(draw(300, 200).flatten()).jpeg({ progressive: true }),
  'jpeg, grey': () => draw().flatten().greyscale().jpeg(),
  'jpeg of four inks': () => draw().flatten().toColourspace('cmyk').jpeg(),
  webp: () => burden(draw()).webp(),
  'webp without losses': () => burden(draw()).webp({ lossless: true }),
  'webp that moves': () => film().webp({ loop: 1, delay: 50 }),
  gif: () => draw().gif(),
  'gif that moves': () => film().gif({ delay: 50 }),
};

const pixels = (bytes: Uint8Array) => sharp(bytes, { pages: 1 }).raw().toBuffer();

describe.each(Object.entries(pictures))('%s', (_, make) => {
  test('has the same pixels and orientation, and nothing else', async () => {
    const bytes = await make().toBuffer();
    const reduced = reducePicture(bytes)!;
    expect((await pixels(reduced)).equals(await pixels(bytes))).toBe(true);
    const [before, after] = await Promise.all([sharp(bytes).metadata(), sharp(reduced).metadata()]);
    expect(after).toMatchObject({ width: before.width, format: before.format });
    expect(after.orientation).toBe(before.orientation);
    expect([after.icc, after.xmp, after.comments]).toEqual([undefined, undefined, undefined]);
    expect(after.pages ?? 1).toBe(1);
    expect(Buffer.from(reduced).includes('yyyyyyyy')).toBe(false);
  });

  test('ends with a picture or with none, however it is cut or changed', async () => {
    const bytes = await make().toBuffer();
    fc.assert(
      fc.property(
        fc.nat(bytes.length),
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 8 }),
        (length, changes) => {
          const broken = Buffer.from(bytes);
          for (const [at, value] of changes) broken[at] = value;
          const reduced = reducePicture(broken.subarray(0, length));
          expect(reduced === null || reduced.length <= length + 20).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});

test.each([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['AVIF', () => draw().avif().toBuffer()],
  ['TIFF', () => draw().tiff().toBuffer()],
  ['a page', Buffer.from('<!doctype html>')],
  ['nothing', Buffer.alloc(0)],
  ['36 megapixels of PNG', () => draw(6_000, 6_000).png().toBuffer()],
  ['36 megapixels of JPEG', () => draw(6_000, 6_000).flatten().jpeg().toBuffer()],
  ['36 megapixels of GIF', enlargeGif],
])('%s is refused before it is decoded', async (_, made) => {
  expect(reducePicture(typeof made === 'function' ? await made() : made)).toBeNull();
});

/** As sharp takes seconds to draw it. */
async function enlargeGif(): Promise<Buffer> {
  const bytes = await draw().gif().toBuffer();
  for (const at of [6, 8]) bytes.writeUInt16LE(6_000, at);
  return bytes;
}

test('a progressive picture with scans without end is refused', async () => {
  const bytes = await draw(64, 64).flatten().jpeg({ progressive: true }).toBuffer();
  const start = bytes.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = bytes.subarray(start, -2);
  const scans = Array.from({ length: 60 }, () => scan);
  expect(reducePicture(Buffer.concat([bytes.subarray(0, start), ...scans, bytes.subarray(-2)]))).toBeNull();
});
