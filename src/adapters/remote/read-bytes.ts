import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '../../errors.ts';

/** Far more than a page of learning objects or a list of providers needs. */
const MAX_BYTES = 2 * 1024 * 1024;

const unpack = promisify(gunzip);

/** All bytes of an answer, unpacked where they are gzip, whatever its headers say: JSON never begins as gzip does.
 *  Errors: RESPONSE_INVALID for more than 2 MB, packed or not. */
export async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, size);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? unpackBounded(bytes) : bytes;
}

async function unpackBounded(packed: Buffer): Promise<Buffer> {
  try {
    return await unpack(packed, { maxOutputLength: MAX_BYTES });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new AppError(
      'RESPONSE_INVALID',
      'The answer of the service cannot be unpacked. Its operator has to look at it.',
      { cause },
    );
  }
}

function tooLarge(): AppError {
  return new AppError(
    'RESPONSE_INVALID',
    'The answer of the service is larger than 2 MB, which none of its operations needs. Its operator has to look at it.',
  );
}
