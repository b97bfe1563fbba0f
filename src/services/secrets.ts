import { AppError, type Problem } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { SecretRecord, SecretRepository } from '../ports/store/store.ts';
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
  /** Where secrets whose names begin with this prefix are, over all tenants. */
  listNames(prefix: string): AsyncIterable<Pick<SecretRecord, 'tenantId' | 'name'>>;
  /** Whether each of them can be opened; nothing is changed. */
  checkAll(): Promise<{ readonly readable: number; readonly problems: readonly Problem[] }>;
  /** Seals everything anew that is not yet under the current key; can be repeated, and run while hosts write.
   *  Errors: SECRET_UNREADABLE with what could not be opened in `problems`; everything else is sealed then. */
  resealAll(): Promise<Resealed>;
}

export interface SecretsDeps {
  readonly secrets: SecretRepository;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

const MIN_SHOWN_LENGTH = 12;
const BATCH = 200;

export function createSecrets({ secrets, keyring, clock }: SecretsDeps): Secrets {
  /** True when it was sealed under an older key. */
  async function reseal(record: SecretRecord): Promise<boolean> {
    if (keyring.isCurrent(record.sealed)) return false;
    const context = contextOf(record);
    const isReplaced = await secrets.resealSecret(
      record,
      keyring.seal(keyring.open(record.sealed, context), context),
    );
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
      return record === null ? null : keyring.open(record.sealed, contextOf(record));
    },
    async findHint(tenantId, name, origin) {
      const record = await findRecord(tenantId, name, origin);
      return record === null ? null : { lastFour: record.lastFour, updatedAt: record.updatedAt };
    },
    removeSecret: (tenantId, name) => secrets.removeSecret(tenantId, name),
    async *listNames(prefix) {
      for await (const { tenantId, name } of everySecret(secrets))
        if (name.startsWith(prefix)) yield { tenantId, name };
    },
    async checkAll() {
      const problems: Problem[] = [];
      let readable = 0;
      for await (const record of everySecret(secrets)) {
        try {
          keyring.open(record.sealed, contextOf(record));
          readable++;
        } catch (error) {
          noteUnreadable(error, record, problems);
        }
      }
      return { readable, problems };
    },
    async resealAll() {
      const problems: Problem[] = [];
      let [resealed, current] = [0, 0];
      for await (const record of everySecret(secrets)) {
        const isResealed = await reseal(record).catch((error) => noteUnreadable(error, record, problems));
        if (isResealed === true) resealed++;
        if (isResealed === false) current++;
      }
      if (problems.length > 0) throw unreadable(problems);
      return { resealed, current };
    },
  };
}

function contextOf(record: Pick<SecretRecord, 'tenantId' | 'name' | 'boundTo'>): string {
  return `${pathOf(record)}/${record.boundTo}`;
}

function pathOf({ tenantId, name }: Pick<SecretRecord, 'tenantId' | 'name'>): string {
  return `${tenantId}/${name}`;
}

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
