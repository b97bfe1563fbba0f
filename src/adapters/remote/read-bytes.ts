import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '../../errors.ts';

const MB = 1024 * 1024;
/** Far more than a page of learning objects or a list of providers needs. */
const MAX_BYTES = 2 * MB;

const unpack = promisify(gunzip);

/** All bytes of an answer, unpacked where they are gzip, whatever its headers say: JSON never begins as gzip does.
 *  Errors: RESPONSE_INVALID for more than `maxBytes`, packed or not.
 *  @param maxBytes 2 MB by default */
export async function readBytes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number = MAX_BYTES,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, size);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? unpackBounded(bytes, maxBytes) : bytes;
}

async function unpackBounded(packed: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await unpack(packed, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new AppError(
      'RESPONSE_INVALID',
      'The answer of the service cannot be unpacked. Its operator has to look at it.',
      { cause },
    );
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError(
    'RESPONSE_INVALID',
    `The answer of the service is larger than ${maxBytes / MB} MB, which none of its operations needs. Its operator has to look at it.`,
  );
}
