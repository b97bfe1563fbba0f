import { AppError, hasErrorCode, type Problem } from '#errors';
import type { Clock } from '#ports/clock';
import type { SecretRecord, SecretRepository } from '#ports/store/store';
import { readEveryItemAfter } from './every-item.ts';
import type { Keyring } from './keyring.ts';

export type UpstreamKeyName = 'upstream-api-key' | 'marketplace-key';

/** `lti-key:` precedes the ID of a registration, `slack-bot-token:` that of an installation,
 *  `totp:` that of an administrator. These and the Slack app belong to the default tenant. */
export type SecretName =
  | UpstreamKeyName
  | `lti-key:${string}`
  | `slack-bot-token:${string}`
  | `totp:${string}`
  | 'slack-app';

/** The part of a secret that may be shown. */
export interface SecretHint {
  /** Null when the secret has less than 12 characters. */
  readonly lastFour: string | null;
  readonly updatedAt: Date;
}

export type Resealed = { readonly resealed: number; readonly current: number };

/** State of a stored secret, without its content. */
export interface StoredSecret extends Pick<SecretRecord, 'tenantId' | 'name' | 'boundTo'> {
  /** Given up: the operator has confirmed that its key is lost for good. */
  readonly state: 'readable' | 'unreadable' | 'given-up';
}

export interface NewSecret {
  readonly plain: string;
  /** The only origin it may be sent to; for a signing key, which is never sent, its owner. */
  readonly boundTo: string;
}

/** Tells whether a secret can be read. Errors: all of `read` but SECRET_UNREADABLE. */
export async function isSecretReadable(read: () => unknown): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'SECRET_UNREADABLE')) return false;
    throw error;
  }
}

/** Stores secrets. Each is sealed with the origin it may be sent to, and is found for no other. */
export type Secrets = ReturnType<typeof createSecrets>;

export interface SecretsDeps {
  readonly secrets: SecretRepository;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** Prefix of sealed secrets that are given up. */
const GIVEN_UP = 'given-up.';
const MIN_SHOWN_LENGTH = 12;
const BATCH = 200;

export function createSecrets(deps: SecretsDeps) {
  const { secrets, keyring, clock } = deps;

  async function findRecord(tenantId: string, name: SecretName, origin: string | null) {
    const record = await secrets.findSecret(tenantId, name);
    return record?.boundTo === origin ? record : null;
  }

  return {
    putSecret: (tenantId: string, name: SecretName, { plain, boundTo }: NewSecret) =>
      secrets.putSecret({
        tenantId,
        name,
        boundTo,
        sealed: keyring.seal(plain, secretContextOf({ tenantId, name, boundTo })),
        lastFour: plain.length < MIN_SHOWN_LENGTH ? null : plain.slice(-4),
        updatedAt: clock.now(),
      }),
    /** Errors: SECRET_UNREADABLE. */
    async findSecret(tenantId: string, name: SecretName, origin: string | null): Promise<string | null> {
      const record = await findRecord(tenantId, name, origin);
      return record && openSecret(keyring, record);
    },
    async findHint(tenantId: string, name: SecretName, origin: string | null): Promise<SecretHint | null> {
      const record = await findRecord(tenantId, name, origin);
      return record && { lastFour: record.lastFour, updatedAt: record.updatedAt };
    },
    /** Removes a secret, whatever origin it is bound to. */
    removeSecret: (tenantId: string, name: SecretName) => secrets.removeSecret(tenantId, name),
    async *listStored(prefix = ''): AsyncIterable<StoredSecret> {
      for await (const record of readEverySecret(secrets))
        if (record.name.startsWith(prefix)) yield await describeSecret(keyring, record);
    },
    /** Marks unreadable secrets as given up. They stay stored, and are readable once their key is
     *  restored. @returns the newly marked secrets */
    giveUpUnreadable: () => giveUpUnreadableSecrets(deps),
    /** Seals all secrets but given-up ones under the current key; repeatable, also while hosts
     *  write. Errors: SECRET_UNREADABLE with them in `problems`; all others are sealed. */
    resealAll: () => resealAllSecrets(deps),
  };
}

async function giveUpUnreadableSecrets({ secrets, keyring }: SecretsDeps): Promise<readonly StoredSecret[]> {
  const marked: StoredSecret[] = [];
  for await (const record of readEverySecret(secrets)) {
    const secret = await describeSecret(keyring, record);
    const isNew = secret.state === 'unreadable';
    // A secret that was saved meanwhile is not replaced: it can be read.
    if (isNew && (await secrets.resealSecret(record, GIVEN_UP + record.sealed))) marked.push(secret);
  }
  return marked;
}

async function resealAllSecrets(deps: SecretsDeps): Promise<Resealed> {
  const problems: Problem[] = [];
  let [resealed, current] = [0, 0];
  for await (const record of readEverySecret(deps.secrets)) {
    if (isGivenUpSecret(record) && (await describeSecret(deps.keyring, record)).state === 'given-up') continue;
    try {
      if (await resealSecret(deps, record)) resealed++;
      else current++;
    } catch (error) {
      if (!hasErrorCode(error, 'SECRET_UNREADABLE')) throw error;
      problems.push({ path: secretPathOf(record), problem: error.message });
    }
  }
  if (problems.length > 0)
    throw new AppError(
      'SECRET_UNREADABLE',
      `Of the stored secrets, ${problems.length} cannot be read with the keys of this host. The others are sealed under the current key.`,
      { problems },
    );
  return { resealed, current };
}

/** @returns whether it was sealed under an older key */
async function resealSecret(deps: SecretsDeps, record: SecretRecord): Promise<boolean> {
  const { secrets, keyring } = deps;
  if (keyring.isCurrent(record.sealed)) return false;
  const sealed = keyring.seal(openSecret(keyring, record), secretContextOf(record));
  if (await secrets.resealSecret(record, sealed)) return true;
  // Another secret was saved meanwhile, perhaps by a host that still seals under the older key.
  const changed = await secrets.findSecret(record.tenantId, record.name);
  return changed === null ? false : resealSecret(deps, changed);
}

function openSecret(keyring: Keyring, record: SecretRecord): string {
  const { sealed } = record;
  return keyring.open(isGivenUpSecret(record) ? sealed.slice(GIVEN_UP.length) : sealed, secretContextOf(record));
}

async function describeSecret(keyring: Keyring, record: SecretRecord): Promise<StoredSecret> {
  const { tenantId, name, boundTo } = record;
  const unreadable = isGivenUpSecret(record) ? 'given-up' : 'unreadable';
  const isReadable = await isSecretReadable(() => openSecret(keyring, record));
  return { tenantId, name, boundTo, state: isReadable ? 'readable' : unreadable };
}

const isGivenUpSecret = ({ sealed }: SecretRecord) => sealed.startsWith(GIVEN_UP);

function secretContextOf(record: Pick<SecretRecord, 'tenantId' | 'name' | 'boundTo'>): string {
  return `${secretPathOf(record)}/${record.boundTo}`;
}

const secretPathOf = ({ tenantId, name }: Pick<SecretRecord, 'tenantId' | 'name'>) => `${tenantId}/${name}`;

function readEverySecret(secrets: SecretRepository): AsyncIterable<SecretRecord> {
  return readEveryItemAfter((after) => secrets.listSecrets(after, BATCH));
}
