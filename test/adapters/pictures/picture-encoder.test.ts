import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createPictureEncoder } from '../../../src/adapters/pictures/picture-encoder.ts';

const encoder = createPictureEncoder();
afterAll(() => encoder.close());

const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } });

test.each(['jpeg', 'png', 'webp', 'gif'] as const)('%s becomes WebP of two widths, and JPEG', async (format) => {
  const encoded = await encoder.encode(await draw(1_600, 900).toFormat(format).toBuffer());
  const seen = await Promise.all(Object.values(encoded!).map((bytes) => sharp(bytes).metadata()));
  expect(seen.map(({ format: is, width, height }) => [is, width, height])).toEqual([
    ['webp', 320, 180],
    ['webp', 640, 360],
    ['jpeg', 320, 180],
  ]);
});

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
    expect([Math.abs(r! - 100) < 4, Math.abs(g! - 15) < 4, Math.abs(b! - 15) < 4]).toEqual([true, true, true]);
  }
  expect((await encode(red().toColourspace('cmyk').jpeg()))!['640.webp']).toBeDefined();
  const grey = await encode(draw(800, 400).greyscale().png());
  const [clear, flat] = await Promise.all([middle(grey!['640.webp']), middle(grey!['320.jpg'])]);
  expect([clear.length, clear[3], flat.length]).toEqual([4, 128, 3]);
});

test('refuses an extremely thin picture, without much time', async () => {
  await encoder.encode(await draw(12_000, 1).png().toBuffer());
  for (const thread of [writeBlackPng(23_990_000, 1), writeBlackPng(1, 23_990_000)])
    expect(await encoder.encode(thread)).toBeNull();
});

/** The processes that encode for this one. */
const workers = () => {
  try {
    return execFileSync('pgrep', ['-P', `${process.pid}`, '-f', 'picture-worker'], { encoding: 'utf8' })
      .trim()
      .split('\n');
  } catch {
    return [];
  }
};
const peakBytes = (pid: string) =>
  1_024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

test('texts that stand for gigabytes are not unpacked, whatever chunk they are in', async () => {
  const before = process.memoryUsage().rss;
  const [signature, rest] = split(await draw(10, 10).png().toBuffer(), 33);
  // 64 MB of nothing, many times.
  const bomb = deflateSync(Buffer.alloc(64 * 1024 ** 2), { level: 9 });
  const bombs = ['zTXt', 'iCCP', 'iTXt'].flatMap((type) => {
    const head = { zTXt: 'a\0\0', iCCP: 'a\0\0', iTXt: 'a\0\x01\0\0\0' }[type]!;
    return Array.from({ length: 8 }, () => chunk(type, Buffer.concat([Buffer.from(head), bomb])));
  });
  const encoded = await encoder.encode(Buffer.concat([signature!, ...bombs, rest!]));
  expect((await sharp(encoded!['320.webp']).metadata()).width).toBe(10);
  for (const pid of workers()) expect(peakBytes(pid)).toBeLessThan(300 * 1024 ** 2);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
});

test('the process starts with a picture, ends when it is idle, and starts again', async () => {
  const others = workers();
  const short = createPictureEncoder({ idleMs: 1 });
  expect(workers()).toEqual(others);
  const picture = await draw(10, 10).png().toBuffer();
  for (let round = 0; round < 2; round++) {
    expect(await short.encode(picture)).not.toBeNull();
    await expect.poll(workers).toEqual(others);
  }
  await short.close();
});

test('a process that dies, takes too long or too much memory costs its picture only', async () => {
  const others = workers();
  const picture = await draw(10, 10).png().toBuffer();
  const mortal = createPictureEncoder();
  onTestFinished(() => mortal.close());
  expect(await mortal.encode(picture)).not.toBeNull();
  process.kill(Number(workers().find((pid) => !others.includes(pid))), 'SIGKILL');
  expect(await mortal.encode(picture)).not.toBeNull();
  await mortal.close();
  const large = await draw(4_000, 4_000).png().toBuffer();
  for (const limit of [{ deadlineMs: 1 }, { maxBytes: 1 }]) {
    const limited = createPictureEncoder(limit);
    expect(await Promise.all([limited.encode(large), limited.encode(large)])).toEqual([null, null]);
    await limited.close();
  }
  await expect.poll(workers).toEqual(others);
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

const split = (bytes: Buffer, at: number) => [bytes.subarray(0, at), bytes.subarray(at)];

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** As sharp would take long to draw it. */
function writeBlackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits of red, green and blue.
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const rows = deflateSync(Buffer.alloc((3 * width + 1) * height));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}
