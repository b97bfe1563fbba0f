import type Sharp from 'sharp';
import type { PictureEncoder } from '#ports/pictures';

/** A photo of 24 megapixels. */
const MAX_PIXELS = 24_000_000;
/** Of a side: what is shaped like a thread takes far more memory and time than its pixels say. */
const MAX_SIDE = 12_000;
/** Of all that is done with one. */
const MAX_SECONDS = 10;
const QUALITY = 75;

/** Formats that libvips may read, by the names of its operations: not SVG and PDF, which are
 *  programs, nor rare ones. */
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

/** Encodes with sharp, in its threads; one picture at a time, so that file access and name lookups
 *  need not wait. */
export function createPictureEncoder(): PictureEncoder {
  let loaded: Promise<typeof Sharp> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function encode(bytes: Uint8Array) {
    loaded ??= loadSharp();
    const sharp = await loaded;
    try {
      const given = sharp(bytes, {
        limitInputPixels: MAX_PIXELS,
        failOn: 'error',
        sequentialRead: true,
        // Of what moves, the first picture.
        pages: 1,
      });
      // Reads the header only.
      const { width, height } = await given.metadata();
      if (Math.max(width, height) > MAX_SIDE) return null;
      const { data, info } = await given
        .timeout({ seconds: MAX_SECONDS })
        .autoOrient()
        .resize(within(640))
        .raw()
        .toBuffer({ resolveWithObject: true });
      // What is small now takes no time that would have to be limited.
      const large = sharp(data, { raw: info });
      const small = large.clone().resize(within(320));
      return {
        '320.webp': await small.clone().webp({ quality: QUALITY }).toBuffer(),
        '640.webp': await large.webp({ quality: QUALITY }).toBuffer(),
        '320.jpg': await small.flatten({ background: '#fff' }).jpeg({ quality: QUALITY }).toBuffer(),
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

/** Covers of books are high. */
function within(width: number) {
  return { width, height: 2 * width, fit: 'inside', withoutEnlargement: true } as const;
}
