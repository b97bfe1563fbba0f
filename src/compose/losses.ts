import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDatabaseEmpty } from '#adapters/store/sqlite/schema';
import type { Config } from '#config';
import { systemActor } from '#domain/admin';
import { AppError } from '#errors';
import type { Secrets, StoredSecret } from '#services/host/secrets';
import { LOCK_FILE } from './host-lock.ts';
import { DATABASE } from './open-store.ts';
import { ALLOW_LOST, type SecretKeys, WITHOUT_SECRETS } from './secret-keys.ts';
import type { Services } from './services.ts';

/** Made by the first start of a host, when there is a store. */
const TRACES = [LOCK_FILE, 'demo.key'];

/** An embedded store that is gone from a folder where a host has run is not begun anew unasked. To be called before the store is
 *  opened, which makes one. Errors: STORE_LOST; STORE_UNAVAILABLE for a damaged one. */
export function refuseLostStore({ mongodbUri, dataDir }: Pick<Config, 'mongodbUri' | 'dataDir'>): void {
  const hasHostRun = TRACES.some((name) => existsSync(resolve(dataDir, name)));
  if (mongodbUri !== undefined || !hasHostRun) return;
  const path = resolve(dataDir, DATABASE);
  const problem = !existsSync(path) ? 'missing' : isEmpty(path) ? 'empty' : null;
  if (problem === null) return;
  throw new AppError(
    'STORE_LOST',
    `The store ${path} is ${problem}, although a server has used this folder: its data would be lost. Restore it with "skilldock restore" and the file of a backup, or correct DATA_DIR or MONGODB_URI. ${ALLOW_LOST}, which makes a new one.`,
  );
}

/** Opening an empty file could remove what is beside it. */
const isEmpty = (path: string) => statSync(path).size === 0 || isDatabaseEmpty(path);

/** Errors: SECRETS_LOST where the store holds secrets that the keys of this host do not open, and nobody gave them up. */
export async function refuseLostSecrets(secrets: Secrets, { isInFile }: SecretKeys): Promise<void> {
  const lost: StoredSecret[] = [];
  for await (const secret of secrets.listStored()) if (secret.state === 'unreadable') lost.push(secret);
  if (lost.length === 0) return;
  const [key, restore] = isInFile
    ? ['in secret.key', 'restore secret.key']
    : ['of the environment', 'give SECRET_KEY the value it had'];
  throw new AppError(
    'SECRETS_LOST',
    `The secret key ${key} does not open ${lost.length} of the secrets that the store holds (${nameLosses(lost)}). It is not the one they are sealed under: ${restore}, or add that one to SECRET_KEY_PREVIOUS. ${WITHOUT_SECRETS}`,
  );
}

/** Goes on without what cannot be opened: the host makes its own keys anew, and notes of the others that people are to enter them
 *  again. */
export async function giveUpLostSecrets({
  secrets,
  keyring,
  ltiRegistrations,
  audit,
}: Pick<Services, 'secrets' | 'keyring' | 'ltiRegistrations' | 'audit'>): Promise<void> {
  const renewed = await ltiRegistrations.renewUnreadableKeys(systemActor);
  const { length: givenUp } = await secrets.giveUpUnreadable();
  if (renewed + givenUp === 0) return;
  await audit.record(systemActor, {
    action: 'secrets.given-up',
    tenantId: null,
    target: keyring.currentKeyId,
    details: { renewed: String(renewed), givenUp: String(givenUp) },
  });
}

const MAX_NAMES = 3;

/** For messages: `default/slack-app, school/upstream-api-key, …`. */
export function nameLosses(secrets: readonly StoredSecret[]): string {
  const names = secrets.slice(0, MAX_NAMES).map(({ tenantId, name }) => `${tenantId}/${name}`);
  return `${names.join(', ')}${secrets.length > MAX_NAMES ? ', …' : ''}`;
}
