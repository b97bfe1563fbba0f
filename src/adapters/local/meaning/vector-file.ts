import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

/** A file of vectors that only grows. A header and batches follow each other, each behind its length and the CRC-32 of its content:
 *  what a killed process left half-written is seen and dropped. A batch holds the keys of its rows, then their scales, then their
 *  bytes; little-endian. */
export interface VectorFile {
  readonly bytes: number;
  /** On the disk when it is done, but for a power cut. Errors: those of writing; nothing of it is kept then. */
  append(batch: VectorBatch): Promise<void>;
  close(): Promise<void>;
}

export interface VectorBatch {
  readonly keys: Float64Array;
  readonly scales: Float32Array;
  /** `row * dimensions`. */
  readonly bytes: Int8Array;
}

export interface VectorFileOptions {
  readonly path: string;
  /** Another one's file is begun anew. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** Told of what is there, in order. */
  onBatch(batch: VectorBatch): void;
}

const FORMAT = 'skilldock-vectors 1';
const FRAME_BYTES = 8;
const KEY_BYTES = 8;
const SCALE_BYTES = 4;
/** In a file, but for what its batch has before it. */
export const bytesOfVector = (dimensions: number) => KEY_BYTES + SCALE_BYTES + dimensions;
/** Longer ones are not written, so a longer one is damaged. */
const MAX_FRAME = 1024 * 1024;
const READ_BYTES = 2 * MAX_FRAME;

/** Opens or makes it, and reads what is there; what follows the first damaged batch is overwritten.
 *  Errors: those of reading and writing. */
export async function openVectorFile(options: VectorFileOptions): Promise<VectorFile> {
  const { path, fingerprint, dimensions } = options;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const header = Buffer.from(JSON.stringify({ format: FORMAT, fingerprint, dimensions }));
    let end = await readFrames(file, header, options);
    if (end === 0) end = await writeFrame(file, 0, [header]);
    await file.truncate(end);
    return {
      get bytes() {
        return end;
      },
      async append({ keys, scales, bytes }) {
        // Written where the last good one ends: what a full disk left of a batch is overwritten.
        end = await writeFrame(file, end, [toBytes(keys), toBytes(scales), toBytes(bytes)]);
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** @returns where the last good frame ends */
async function readFrames(file: FileHandle, header: Buffer, options: VectorFileOptions): Promise<number> {
  const room = Buffer.alloc(READ_BYTES);
  let [end, isOurs] = [0, false];
  for (;;) {
    const { bytesRead } = await file.read(room, 0, room.length, end);
    let at = 0;
    for (;;) {
      const content = readFrame(room.subarray(at, bytesRead));
      if (content === null) break;
      if (!isOurs && !content.equals(header)) return 0;
      const batch = isOurs ? readBatch(content, options.dimensions) : undefined;
      if (batch === null) return end + at;
      if (batch !== undefined) options.onBatch(batch);
      isOurs = true;
      at += FRAME_BYTES + content.length;
    }
    if (at === 0) return end;
    end += at;
  }
}

/** Null where it is not whole. */
function readFrame(bytes: Buffer): Buffer | null {
  if (bytes.length < FRAME_BYTES) return null;
  const length = bytes.readUInt32LE(0);
  if (length > MAX_FRAME || bytes.length < FRAME_BYTES + length) return null;
  const content = bytes.subarray(FRAME_BYTES, FRAME_BYTES + length);
  return crc32(content) === bytes.readUInt32LE(4) ? content : null;
}

/** Null where it is none. */
function readBatch(content: Buffer, dimensions: number): VectorBatch | null {
  const count = content.length / bytesOfVector(dimensions);
  // None: a disk may have zeros behind the last one.
  if (count === 0 || !Number.isInteger(count)) return null;
  // A copy: numbers of several bytes must be aligned.
  const { buffer } = Uint8Array.from(content);
  const keys = new Float64Array(buffer, 0, count);
  const scales = new Float32Array(buffer, count * KEY_BYTES, count);
  return { keys, scales, bytes: new Int8Array(buffer, count * (KEY_BYTES + SCALE_BYTES)) };
}

/** @returns where it ends */
async function writeFrame(file: FileHandle, at: number, parts: readonly Buffer[]): Promise<number> {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(FRAME_BYTES);
  head.writeUInt32LE(content.length, 0);
  head.writeUInt32LE(crc32(content), 4);
  const frame = Buffer.concat([head, content]);
  for (let done = 0; done < frame.length; )
    done += (await file.write(frame, done, frame.length - done, at + done)).bytesWritten;
  return at + frame.length;
}

const toBytes = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray) =>
  Buffer.from(buffer, byteOffset, byteLength);
