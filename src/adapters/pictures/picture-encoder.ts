import type Sharp from 'sharp';
import type { PictureEncoder } from '../../ports/pictures.ts';

/** A photo of 24 megapixels; decoding a row at a time, and at half or less where the format can, it never is in memory as a whole. */
const MAX_PIXELS = 24_000_000;
const MAX_SECONDS = 10;
const QUALITY = 75;

/** What libvips may read, by the names of its operations: neither SVG and PDF, which are programs, nor the rarer formats. */
const LOADERS = ['JpegBuffer', 'PngBuffer', 'WebpBuffer', 'NsgifBuffer'].map(
  (name) => `VipsForeignLoad${name}`,
);

/** Loaded with the first picture, as it takes some 20 MB. */
async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/** With sharp, which works in threads of its own; one picture at a time, so that files and names need not wait for them. */
export function createPictureEncoder(): PictureEncoder {
  let loaded: Promise<typeof Sharp> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function encode(bytes: Uint8Array) {
    loaded ??= loadSharp();
    const sharp = await loaded;
    const read = () =>
      sharp(bytes, {
        limitInputPixels: MAX_PIXELS,
        failOn: 'error',
        sequentialRead: true,
        // Of what moves, the first picture.
        pages: 1,
      })
        .timeout({ seconds: MAX_SECONDS })
        .autoOrient();
    // Covers of books are high.
    const within = (width: number) =>
      read().resize({ width, height: 2 * width, fit: 'inside', withoutEnlargement: true });
    try {
      return {
        '320.webp': await within(320).webp({ quality: QUALITY }).toBuffer(),
        '640.webp': await within(640).webp({ quality: QUALITY }).toBuffer(),
        '320.jpg': await within(320).flatten({ background: '#fff' }).jpeg({ quality: QUALITY }).toBuffer(),
      };
    } catch {
      // sharp has no codes for what is wrong with a picture.
      return null;
    }
  }

  return {
    encode(bytes) {
      const work = last.then(() => encode(bytes));
      last = work.catch(() => undefined);
      return work;
    },
  };
}
