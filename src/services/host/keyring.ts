import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from '#errors';

/** Seals secrets under the host's SECRET_KEY, and opens them under that and the previous keys. */
export type Keyring = ReturnType<typeof createKeyring>;
/** The current key and then the previous ones, each of at least 32 characters. */
export type SecretKeyList = readonly [current: string, ...previous: string[]];

type SealingKey = { readonly id: string; readonly key: Buffer; readonly markKey: Buffer };
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
/** The usual nonce length of GCM; random nonces are safe up to 2^32 secrets under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MARK_BYTES = 16;
const SHAPE = /^v1\.([0-9a-f]{8})\.([\w-]+)$/;
type SealingKeys = readonly [SealingKey, ...SealingKey[]];

/** @param secretKeys may be a function, which is called for the current key and for an unknown key
 *  in a sealed text, as another process may change the keys */
export function createKeyring(secretKeys: SecretKeyList | (() => SecretKeyList)) {
  const read = typeof secretKeys === 'function' ? secretKeys : () => secretKeys;
  let cached: { readonly list: string; readonly keys: SealingKeys } | undefined;
  let isFresh = false;

  function readAllKeys(): SealingKeys {
    if (cached !== undefined && isFresh) return cached.keys;
    const secretKeyList = read();
    const list = secretKeyList.join('\n');
    if (cached?.list !== list) cached = { list, keys: deriveSealingKeys(secretKeyList) };
    // A page seals a dozen cards within one task; the keys are read once for it.
    isFresh = true;
    queueMicrotask(() => {
      isFresh = false;
    });
    return cached.keys;
  }

  function findKey(id: string): SealingKey | undefined {
    const isWanted = (key: SealingKey) => key.id === id;
    const key = cached?.keys.find(isWanted);
    if (key === undefined) isFresh = false;
    return key ?? readAllKeys().find(isWanted);
  }

  return {
    /** Returns eight hexadecimal characters that identify the current key without revealing it. */
    get currentKeyId() {
      return readAllKeys()[0].id;
    },
    /** Encrypts with AES-256-GCM. `context` is the purpose: only the same context opens the secret.
     *  Shape: `v1.<key id>.<base64url of nonce, ciphertext and tag>`. */
    seal(plain: string, context: string): string {
      return encryptWithKey(readAllKeys()[0], plain, context);
    },
    /** Errors: SECRET_UNREADABLE when it is sealed under an unknown key, or was tampered with. */
    open(sealed: string, context: string): string {
      const [, id = '', body = ''] = SHAPE.exec(sealed) ?? [];
      const key = findKey(id);
      if (id === '') throw createUnreadableSealError('it is not a sealed secret');
      if (key === undefined) throw createUnreadableSealError(`it is sealed under the key ${id}`);
      try {
        return decryptWithKey(key.key, Buffer.from(body, 'base64url'), context);
      } catch {
        // Without the cause, so that no part of the sealed text gets into a log.
        throw createUnreadableSealError('it was changed, or belongs to something else');
      }
    },
    isCurrent(sealed: string): boolean {
      return sealed.startsWith(`v1.${readAllKeys()[0].id}.`);
    },
    /** Hashes a text that must not be stored: HMAC-SHA-256, cut to 128 bits, in base64url. The hash
     *  changes with the current key. */
    mark(text: string, context: string): string {
      const hmac = createHmac('sha256', readAllKeys()[0].markKey).update(JSON.stringify([context, text]));
      return hmac.digest().subarray(0, MARK_BYTES).toString('base64url');
    },
  };
}

function deriveSealingKeys([current, ...previous]: SecretKeyList): SealingKeys {
  return [deriveSealingKey(current), ...previous.map(deriveSealingKey)];
}

function deriveSealingKey(secretKey: string): SealingKey {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secretKey, '', `skilldock ${purpose}`, bytes));
  return {
    id: derive('key id', KEY_ID_BYTES).toString('hex'),
    key: derive('sealing key', KEY_BYTES),
    markKey: derive('mark key', KEY_BYTES),
  };
}

function encryptWithKey({ id, key }: SealingKey, plain: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
  const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `v1.${id}.${body.toString('base64url')}`;
}

function decryptWithKey(key: Buffer, body: Buffer, context: string): string {
  const decipher = createDecipheriv(CIPHER, key, body.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(body.subarray(body.length - TAG_BYTES));
  const sealed = body.subarray(NONCE_BYTES, body.length - TAG_BYTES);
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
}

function createUnreadableSealError(why: string): AppError {
  return new AppError(
    'SECRET_UNREADABLE',
    `A stored secret cannot be read: ${why}. Set the former SECRET_KEY in SECRET_KEY or SECRET_KEY_PREVIOUS, or save the secret again.`,
  );
}
