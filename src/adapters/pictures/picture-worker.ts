/** The process that encodes pictures; see `picture-encoder.ts`. */
import sharp from 'sharp';
import { limitThisProcess } from '#adapters/processes/this-process';
import type { EncodedPicture } from '#ports/pictures';
import { MAX_PIXELS, reducePicture } from './reduce-picture.ts';

/** Limit of a side in pixels: a very narrow picture takes far more memory than its pixels. */
const MAX_SIDE = 12_000;
const MAX_SECONDS = 10;
const QUALITY = 75;

/** Formats that libvips may read: not SVG and PDF, which are programs, nor rare ones. */
const LOADERS = ['JpegBuffer', 'PngBuffer', 'WebpBuffer', 'NsgifBuffer'].map((name) => `VipsForeignLoad${name}`);

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS });
sharp.concurrency(1);
sharp.cache(false);

limitThisProcess();
process.on('message', async (bytes: Uint8Array) => {
  process.send?.(await encodePicture(bytes));
});
process.send?.('ready');

async function encodePicture(bytes: Uint8Array): Promise<EncodedPicture | null> {
  const reduced = reducePicture(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (reduced === null) return null;
  try {
    const picture = sharp(reduced, {
      limitInputPixels: MAX_PIXELS,
      failOn: 'error',
      sequentialRead: true,
      // Only the first picture of an animation.
      pages: 1,
    });
    // Reads the header only.
    const { width, height } = await picture.metadata();
    if (Math.max(width, height) > MAX_SIDE) return null;
    const { data, info } = await picture
      .timeout({ seconds: MAX_SECONDS })
      .autoOrient()
      .resize(fitPictureWithin(640))
      .raw()
      .toBuffer({ resolveWithObject: true });
    // Small pictures need no time limit.
    const large = sharp(data, { raw: info });
    const small = large.clone().resize(fitPictureWithin(320));
    return {
      '320.webp': await small.clone().webp({ quality: QUALITY }).toBuffer(),
      '640.webp': await large.webp({ quality: QUALITY }).toBuffer(),
      '320.jpg': await small.flatten({ background: '#fff' }).jpeg({ quality: QUALITY }).toBuffer(),
    };
  } catch {
    // sharp has no error codes.
    return null;
  }
}

/** The options of a size. Pictures may be twice as high as wide, like covers of books. */
const fitPictureWithin = (width: number) =>
  ({ width, height: 2 * width, fit: 'inside', withoutEnlargement: true }) as const;
