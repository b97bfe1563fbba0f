/** Maximum number of pixels: that of a photo of 24 megapixels. */
export const MAX_PIXELS = 24_000_000;
/** Maximum number of bytes of EXIF data, which contain the orientation. */
const MAX_EXIF = 65_536;
/** Maximum number of scans of a JPEG: each is over all pixels, progressive ones have about ten. */
const MAX_SCANS = 40;

/** Keeps the parts of a picture that its pixels and its orientation need, in the same format: a
 *  decoder unpacks all parts, and a packed text of 1.5 MB can have gigabytes. Null for other
 *  formats than PNG, JPEG, WebP and GIF, and for broken or too large pictures. */
export function reducePicture(bytes: Buffer): Uint8Array | null {
  try {
    const reduce = formats.find(({ begins }) => begins(bytes))?.reduce;
    return reduce?.(bytes) ?? null;
  } catch (error) {
    // The picture ends within one of its parts.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const hasTextAt = (bytes: Buffer, at: number, text: string) => bytes.toString('latin1', at, at + text.length) === text;

const formats: readonly { begins(bytes: Buffer): boolean; reduce(bytes: Buffer): Uint8Array | null }[] = [
  { begins: (bytes) => bytes.subarray(0, PNG.length).equals(PNG), reduce: reducePng },
  { begins: (bytes) => bytes.length > 3 && bytes.readUInt16BE(0) === 0xffd8, reduce: reduceJpeg },
  { begins: (bytes) => hasTextAt(bytes, 0, 'RIFF') && hasTextAt(bytes, 8, 'WEBP'), reduce: reduceWebp },
  { begins: (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)), reduce: reduceGif },
];

const isPictureTooLarge = (width: number, height: number) => width * height > MAX_PIXELS;

const PNG_PARTS: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** Keeps parts of length, type, data and checksum. Source: PNG (third edition), section 5.3. */
function reducePng(bytes: Buffer): Uint8Array | null {
  if (isPictureTooLarge(bytes.readUInt32BE(16), bytes.readUInt32BE(20))) return null;
  const parts: Uint8Array[] = [PNG];
  for (let at = PNG.length; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + length;
    if (PNG_PARTS.has(type) || (type === 'eXIf' && length <= MAX_EXIF)) parts.push(bytes.subarray(at, end));
    if (type === 'IEND') break;
    at = end;
  }
  return Buffer.concat(parts);
}

/** Whether a marker is of a frame, a table, an interval, JFIF or Adobe's colours. */
const isJpegPart = (marker: number) =>
  (marker >= 0xc0 && marker <= 0xcf) || [0xdb, 0xdd, 0xda, 0xe0, 0xee].includes(marker);
const isJpegFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const EXIF = 'Exif\0\0';

/** Keeps the segments that are needed. Source: ITU-T T.81, annex B. */
function reduceJpeg(bytes: Buffer): Uint8Array | null {
  const parts = [bytes.subarray(0, 2)];
  let scans = 0;
  for (let at = 2; ; ) {
    while (bytes.readUInt16BE(at) === 0xffff) at++;
    if (bytes[at] !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xd9) break;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (isJpegFrame(marker) && isPictureTooLarge(bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7))) return null;
    if (marker === 0xda && ++scans > MAX_SCANS) return null;
    const next = marker === 0xda ? findJpegScanEnd(bytes, end) : end;
    const isNeeded = isJpegPart(marker) || (marker === 0xe1 && hasTextAt(bytes, at + 4, EXIF));
    if (isNeeded) parts.push(bytes.subarray(at, next));
    at = next;
  }
  return Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]);
}

/** Finds the first marker that is not a restart: within a scan, 0xff precedes 0. */
function findJpegScanEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes.readUInt8(at + 1);
    if (next !== 0 && next !== 0xff && (next & 0xf8) !== 0xd0) return at;
  }
  return bytes.length;
}

const WEBP_PARTS: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM']);
/** Flags of VP8X for the colour profile and XMP, which are dropped. */
const WEBP_DROPPED = 0x24;

/** Keeps chunks of type, length, data, and a byte if the length is odd. Source: RFC 9649, §2. */
function reduceWebp(bytes: Buffer): Uint8Array | null {
  const parts: Uint8Array[] = [];
  let hasFrame = false;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    const part = Buffer.from(bytes.subarray(at, end));
    if (type === 'VP8X') {
      if (isPictureTooLarge(part.readUIntLE(12, 3) + 1, part.readUIntLE(15, 3) + 1)) return null;
      part[8] = part.readUInt8(8) & ~WEBP_DROPPED;
    }
    const isFirstFrame: boolean = type === 'ANMF' && !hasFrame;
    if (WEBP_PARTS.has(type) || isFirstFrame || (type === 'EXIF' && length <= MAX_EXIF)) parts.push(part);
    hasFrame ||= isFirstFrame;
    at = end;
  }
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts]);
  const head = Buffer.from('RIFF\0\0\0\0');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

const countGifTableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
const GIF_EXTENSION = 0x21;
const GIF_CONTROL = 0xf9;
const GIF_IMAGE = 0x2c;
const GIF_END = 0x3b;

/** Keeps the first picture. Source: GIF89a, sections 18 to 27. */
function reduceGif(bytes: Buffer): Uint8Array | null {
  if (isPictureTooLarge(bytes.readUInt16LE(6), bytes.readUInt16LE(8))) return null;
  let at = 13 + countGifTableBytes(bytes.readUInt8(10));
  const head = bytes.subarray(0, at);
  // The graphic control extension has the transparent colour.
  let control = bytes.subarray(0, 0);
  while (bytes.readUInt8(at) === GIF_EXTENSION) {
    const end = skipGifBlocks(bytes, at + 2);
    if (bytes[at + 1] === GIF_CONTROL) control = bytes.subarray(at, end);
    at = end;
  }
  if (bytes.readUInt8(at) !== GIF_IMAGE) return null;
  // Descriptor, table, the size of codes.
  const end = skipGifBlocks(bytes, at + 11 + countGifTableBytes(bytes.readUInt8(at + 9)));
  return Buffer.concat([head, control, bytes.subarray(at, end), Buffer.from([GIF_END])]);
}

function skipGifBlocks(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes.readUInt8(at) !== 0) at += bytes.readUInt8(at) + 1;
  return at + 1;
}
