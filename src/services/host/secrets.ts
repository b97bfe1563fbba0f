import { AppError, type Problem } from '#errors';
import type { Clock } from '#ports/clock';
import type { SecretRecord, SecretRepository } from '#ports/store/store';
import { readEveryItemAfter } from './every-item.ts';
import type { Keyring } from './keyring.ts';

export type UpstreamKeyName = 'upstream-api-key' | 'marketplace-key';

/** `lti-key:` stands before the id of a registration, `slack-bot-token:` before that of an installation; the Slack app of the
 *  host is among the secrets of the default tenant. */
export type SecretName = UpstreamKeyName | `lti-key:${string}` | `slack-bot-token:${string}` | 'slack-app';

/** What may be shown of a secret. */
export interface SecretHint {
  /** Null when it is too short (below 12 characters) to show any of it. */
  readonly lastFour: string | null;
  readonly updatedAt: Date;
}

export interface Resealed {
  /** Sealed anew by this run. */
  readonly resealed: number;
  /** Secrets that were already sealed under the current key. */
  readonly current: number;
}

/** What can be said of a secret that is stored, without showing any of it. */
export interface StoredSecret extends Pick<SecretRecord, 'tenantId' | 'name' | 'boundTo'> {
  /** Given up: the operator said that the key it is sealed under is lost for good. */
  readonly state: 'readable' | 'unreadable' | 'given-up';
}

export interface NewSecret {
  readonly plain: string;
  /** The only origin it may be sent to; for a secret that is sent nowhere, such as a signing key, what it belongs to. */
  readonly boundTo: string;
}

/** The secrets of tenants. A secret is sealed at once, together with the origin it may be sent to: for any other origin, or null,
 *  it cannot be found. */
export interface Secrets {
  putSecret(tenantId: string, name: SecretName, secret: NewSecret): Promise<void>;
  /** Errors: SECRET_UNREADABLE. */
  findSecret(tenantId: string, name: SecretName, origin: string | null): Promise<string | null>;
  findHint(tenantId: string, name: SecretName, origin: string | null): Promise<SecretHint | null>;
  /** Whatever it is bound to. */
  removeSecret(tenantId: string, name: SecretName): Promise<boolean>;
  /** Those whose names begin with this prefix, all by default, over all tenants; nothing is changed. */
  listStored(prefix?: string): AsyncIterable<StoredSecret>;
  /** Notes of those that cannot be opened that they never will be. They stay, and are read again if the key is found after all.
   *  @returns those that were not given up before */
  giveUpUnreadable(): Promise<readonly StoredSecret[]>;
  /** Seals everything anew that is not yet under the current key; can be repeated, and run while hosts write. What was given up
   *  stays as it is. Errors: SECRET_UNREADABLE with what else could not be opened in `problems`; everything else is sealed then. */
  resealAll(): Promise<Resealed>;
}

export interface SecretsDeps {
  readonly secrets: SecretRepository;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** Stands before what is sealed. */
const GIVEN_UP = 'given-up.';

const MIN_SHOWN_LENGTH = 12;
const BATCH = 200;

export function createSecrets({ secrets, keyring, clock }: SecretsDeps): Secrets {
  /** Errors: SECRET_UNREADABLE. */
  function open(record: SecretRecord): string {
    const { sealed } = record;
    return keyring.open(isGivenUp(record) ? sealed.slice(GIVEN_UP.length) : sealed, contextOf(record));
  }

  function describe(record: SecretRecord): StoredSecret {
    const { tenantId, name, boundTo } = record;
    const unreadable = isGivenUp(record) ? 'given-up' : 'unreadable';
    return { tenantId, name, boundTo, state: isReadable(() => open(record)) ? 'readable' : unreadable };
  }

  /** True when it was sealed under an older key. */
  async function reseal(record: SecretRecord): Promise<boolean> {
    if (keyring.isCurrent(record.sealed)) return false;
    const isReplaced = await secrets.resealSecret(record, keyring.seal(open(record), contextOf(record)));
    if (isReplaced) return true;
    // Someone saved another secret meanwhile, perhaps on a host that still seals under the older key.
    const changed = await secrets.findSecret(record.tenantId, record.name);
    return changed === null ? false : reseal(changed);
  }

  async function findRecord(
    tenantId: string,
    name: SecretName,
    origin: string | null,
  ): Promise<SecretRecord | null> {
    const record = await secrets.findSecret(tenantId, name);
    return record?.boundTo === origin ? record : null;
  }

  return {
    putSecret: (tenantId, name, { plain, boundTo }) =>
      secrets.putSecret({
        tenantId,
        name,
        boundTo,
        sealed: keyring.seal(plain, contextOf({ tenantId, name, boundTo })),
        lastFour: plain.length < MIN_SHOWN_LENGTH ? null : plain.slice(-4),
        updatedAt: clock.now(),
      }),
    async findSecret(tenantId, name, origin) {
      const record = await findRecord(tenantId, name, origin);
      return record === null ? null : open(record);
    },
    async findHint(tenantId, name, origin) {
      const record = await findRecord(tenantId, name, origin);
      return record === null ? null : { lastFour: record.lastFour, updatedAt: record.updatedAt };
    },
    removeSecret: (tenantId, name) => secrets.removeSecret(tenantId, name),
    async *listStored(prefix = '') {
      for await (const record of everySecret(secrets))
        if (record.name.startsWith(prefix)) yield describe(record);
    },
    async giveUpUnreadable() {
      const given: StoredSecret[] = [];
      for await (const record of everySecret(secrets)) {
        const secret = describe(record);
        const isNew = secret.state === 'unreadable';
        // Where somebody saved another one meanwhile, that one can be read.
        if (isNew && (await secrets.resealSecret(record, GIVEN_UP + record.sealed))) given.push(secret);
      }
      return given;
    },
    async resealAll() {
      const problems: Problem[] = [];
      let [resealed, current] = [0, 0];
      for await (const record of everySecret(secrets)) {
        if (describe(record).state === 'given-up') continue;
        const isResealed = await reseal(record).catch((error) => noteUnreadable(error, record, problems));
        if (isResealed === true) resealed++;
        if (isResealed === false) current++;
      }
      if (problems.length > 0) throw unreadable(problems);
      return { resealed, current };
    },
  };
}

const isGivenUp = ({ sealed }: SecretRecord) => sealed.startsWith(GIVEN_UP);

function isReadable(open: () => string): boolean {
  try {
    open();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'SECRET_UNREADABLE') return false;
    throw error;
  }
}

function contextOf(record: Pick<SecretRecord, 'tenantId' | 'name' | 'boundTo'>): string {
  return `${pathOf(record)}/${record.boundTo}`;
}

const pathOf = ({ tenantId, name }: Pick<SecretRecord, 'tenantId' | 'name'>) => `${tenantId}/${name}`;

function everySecret(secrets: SecretRepository): AsyncIterable<SecretRecord> {
  return readEveryItemAfter((after) => secrets.listSecrets(after, BATCH));
}

function noteUnreadable(error: unknown, record: SecretRecord, problems: Problem[]): null {
  if (!(error instanceof AppError && error.code === 'SECRET_UNREADABLE')) throw error;
  problems.push({ path: pathOf(record), problem: error.message });
  return null;
}

function unreadable(problems: readonly Problem[]): AppError {
  const message = `Of the stored secrets, ${problems.length} cannot be read with the keys of this host. The others are sealed under the current key.`;
  return new AppError('SECRET_UNREADABLE', message, { problems });
}
