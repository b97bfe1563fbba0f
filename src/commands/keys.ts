import { type Command, InvalidArgumentError, Option } from 'commander';
import { openDataDir } from '../adapters/files/data-dir.ts';
import { createSqliteStore } from '../adapters/sqlite/sqlite-store.ts';
import { readConfig } from '../config.ts';
import { type ApiKeyScope, apiKeyScopes } from '../domain/api-key.ts';
import { systemClock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../services/api-keys.ts';

interface CreateOptions {
  readonly name: string;
  readonly scope: readonly ApiKeyScope[];
  readonly perSecond: number;
  readonly perDay: number;
  readonly expires?: Date;
  readonly json?: boolean;
}

/** `skilldock keys create|list|revoke`: the API keys of the store in DATA_DIR; the running host sees a change at once. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke keys of the HTTP API');
  keys
    .command('create')
    .description('make a key and print it; it cannot be shown again')
    .requiredOption('--name <name>', 'whose key it is')
    .addOption(
      new Option('--scope <scope...>', 'what it may do')
        .choices(apiKeyScopes)
        .default(apiKeyScopes, 'all of them'),
    )
    .option('--per-second <requests>', 'requests a second', wholeNumber, 20)
    .option('--per-day <requests>', 'requests a day', wholeNumber, 50_000)
    .option('--expires <date>', 'last moment it works, such as 2027-06-30', date)
    .option('--json', 'print { "id", "key" }')
    .action((options: CreateOptions) => withStore((store) => create(store, options)));
  keys
    .command('list')
    .description('list the keys, without the keys themselves')
    .option('--json', 'print an array')
    .action((options: { json?: boolean }) => withStore((store) => list(store, options.json === true)));
  keys
    .command('revoke')
    .description('make a key stop working')
    .argument('<id>', 'id as `keys list` shows it')
    .action((id: string) => withStore((store) => revoke(store, id)));
}

async function create(store: Store, options: CreateOptions): Promise<void> {
  const { id, key } = await createApiKey(store.apiKeys, systemClock, {
    name: options.name,
    scopes: options.scope,
    perSecond: options.perSecond,
    perDay: options.perDay,
    expiresAt: options.expires ?? null,
  });
  print(
    options.json
      ? JSON.stringify({ id, key })
      : `${key}\n(key ${id} of ${options.name}; keep it safe, it is not shown again)`,
  );
}

async function list(store: Store, asJson: boolean): Promise<void> {
  const keys = await listApiKeys(store.apiKeys);
  if (asJson) print(JSON.stringify(keys));
  else if (keys.length === 0)
    print('There are no keys yet. Make one with: skilldock keys create --name NAME');
  for (const { id, name, scopes, expiresAt, revokedAt } of asJson ? [] : keys) {
    const state = revokedAt
      ? 'revoked'
      : expiresAt
        ? `until ${expiresAt.toISOString().slice(0, 10)}`
        : 'active';
    print(`${id}  ${state}  ${name}  (${scopes.join(', ')})`);
  }
}

async function revoke(store: Store, id: string): Promise<void> {
  await revokeApiKey(store.apiKeys, systemClock, id);
  print(`Key ${id} is revoked.`);
}

async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  const dataDir = openDataDir(readConfig().dataDir);
  const store = createSqliteStore(dataDir.file('skilldock.db'));
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('Give a whole number from 1.');
  return value;
}

function date(text: string): Date {
  const value = new Date(text);
  if (Number.isNaN(value.getTime())) throw new InvalidArgumentError('Give a date such as 2027-06-30.');
  return value;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
