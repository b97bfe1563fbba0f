/** Reads the beginning of a stream, and ends it: `isLonger` if it has more than `maxBytes`. */
export async function readUpTo(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer<ArrayBuffer>; readonly isLonger: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isLonger: size > maxBytes };
}
