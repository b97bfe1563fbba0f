import { TextDecoder } from 'node:util';

const MARKS: readonly (readonly [bytes: readonly number[], charset: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** The text of a document of the web: by the mark it begins with, what the server says of it, or what it says of itself.
 *  @param contentType header, where there is one */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const marked = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];
  const named = marked ?? charsetIn(contentType) ?? charsetIn(latin(bytes.subarray(0, 1_024)));
  return decoderOf(named ?? 'utf-8').decode(bytes);
}

function charsetIn(text: string): string | undefined {
  return /(?:charset|encoding)\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1];
}

function latin(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // One that nobody knows.
    return new TextDecoder();
  }
}
