import { createHmac, timingSafeEqual } from 'node:crypto';

/** Names of pictures in addresses of this host: they say where each comes from, and prove that this host wrote them. */
export interface PictureTokens {
  write(address: string): string;
  /** Null for what was not written here. */
  read(token: string): string | null;
}

const SIGNATURE_BYTES = 16;
const SHAPE = /^([\w-]{1,2000})\.([\w-]{22})$/;

/** `address.signature`, with an HMAC-SHA-256 under the host's secret: nothing is stored, all hosts that share the secret understand
 *  them, and nobody can have this host fetch anything else.
 *  @param secrets the current one, and those before it, which still prove what was written under them */
export function createPictureTokens([
  secret = Buffer.alloc(0),
  ...previous
]: readonly Buffer[]): PictureTokens {
  const derive = (from: Buffer) => createHmac('sha256', from).update('skilldock picture').digest();
  const key = derive(secret);
  const keys = [key, ...previous.map(derive)];
  const sign = (address: string, by: Buffer) =>
    createHmac('sha256', by).update(address).digest().subarray(0, SIGNATURE_BYTES);
  return {
    write: (address) =>
      `${Buffer.from(address).toString('base64url')}.${sign(address, key).toString('base64url')}`,
    read(token) {
      const [, named = '', signature = ''] = SHAPE.exec(token) ?? [];
      const address = Buffer.from(named, 'base64url').toString();
      const given = Buffer.from(signature, 'base64url');
      const isOurs =
        given.length === SIGNATURE_BYTES && keys.some((by) => timingSafeEqual(sign(address, by), given));
      return isOurs ? address : null;
    },
  };
}
