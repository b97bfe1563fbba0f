import { type Command, InvalidArgumentError, Option } from 'commander';
import { openDataDir } from '../adapters/files/data-dir.ts';
import { createSqliteStore } from '../adapters/sqlite/sqlite-store.ts';
import { readConfig } from '../config.ts';
import { type ApiKeyScope, apiKeyScopes } from '../domain/api-key.ts';
import { systemClock } from '../ports/clock.ts';
import type { ApiKeyRecord, Store } from '../ports/store.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../services/api-keys.ts';

const MAX_NAME_LENGTH = 100;

interface CreateOptions {
  readonly name: string;
  readonly scope: readonly ApiKeyScope[];
  readonly perSecond: number;
  readonly perDay: number;
  readonly expires?: Date;
  readonly json?: boolean;
}

/** `skilldock keys create|list|revoke`: the API keys of the store in DATA_DIR; the running host sees a change within a second. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke keys of the HTTP API');
  keys
    .command('create')
    .description('make a key and print it; it cannot be shown again')
    .requiredOption('--name <name>', 'whose key it is', shortName)
    .addOption(
      new Option('--scope <scope...>', 'what it may do')
        .choices(apiKeyScopes)
        .default(apiKeyScopes, 'all of them'),
    )
    .option('--per-second <requests>', 'requests a second', wholeNumber, 20)
    .option('--per-day <requests>', 'requests a day', wholeNumber, 50_000)
    .option('--expires <date>', 'last day it works (UTC), such as 2027-06-30', futureDay)
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
    scopes: [...new Set(options.scope)],
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
  for (const key of asJson ? [] : keys) {
    const { id, name, scopes, perSecond, perDay } = key;
    print(`${id}  ${stateOf(key)}  ${name}  (${scopes.join(', ')}; ${perSecond} a second, ${perDay} a day)`);
  }
}

function stateOf({ expiresAt, revokedAt }: Pick<ApiKeyRecord, 'expiresAt' | 'revokedAt'>): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  const day = expiresAt.toISOString().slice(0, 10);
  return expiresAt <= systemClock.now() ? `ended ${day}` : `until ${day}`;
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

/** The last moment of a day in UTC. */
function futureDay(text: string): Date {
  const end = new Date(`${text}T23:59:59.999Z`);
  // Only a real day comes back as it was written: the 30th of February would be the 2nd of March.
  const isDay = !Number.isNaN(end.getTime()) && end.toISOString().startsWith(`${text}T`);
  if (!isDay || end <= systemClock.now())
    throw new InvalidArgumentError('Give a day to come, such as 2027-06-30.');
  return end;
}

function shortName(text: string): string {
  // A control or direction character would change how the list looks on a terminal.
  if (text.trim() === '' || text.length > MAX_NAME_LENGTH || /[\p{Cc}\p{Cf}]/u.test(text))
    throw new InvalidArgumentError(`Give a name of 1 to ${MAX_NAME_LENGTH} printable characters.`);
  return text.trim();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
