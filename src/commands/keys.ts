import { type Command, Option } from 'commander';
import { type ApiKeyScope, apiKeyQuotas, apiKeyScopes, DEFAULT_TENANT } from '#domain/tenant';
import { AppError, isDiskFullError } from '#errors';
import { systemClock } from '#ports/clock';
import { listEveryItem } from '#services/host/every-item';
import type { ApiKeyView } from '#services/tenants/api-keys';
import { createNumberArgumentParser, parseDayArgument, parseNameArgument } from './arguments.ts';
import { type JsonOption, print, printForSure, printJson } from './print.ts';
import { type CommandContext, getTenantScope, TENANT_OPTION, withServices } from './with-services.ts';

interface CreateOptions extends JsonOption {
  readonly tenant: string;
  readonly name: string;
  readonly scope: readonly ApiKeyScope[];
  readonly perSecond: number;
  readonly perDay: number;
  readonly expires?: Date;
}

type ListOptions = JsonOption & { readonly tenant?: string };

/** `skilldock keys create|list|revoke`; running hosts see a change within a second. */
export function addKeysCommand(program: Command): void {
  const { perSecond, perDay } = apiKeyQuotas;
  const keys = program.command('keys').description('make, list and revoke keys of the HTTP API');
  keys
    .command('create')
    .description('make a key and print it; it cannot be shown again')
    .requiredOption('--name <name>', 'whose key it is', parseNameArgument)
    .option(TENANT_OPTION, 'the tenant it belongs to', DEFAULT_TENANT)
    .addOption(
      new Option('--scope <scope...>', 'what it may do').choices(apiKeyScopes).default(apiKeyScopes, 'all of them'),
    )
    .option('--per-second <requests>', 'requests a second', createNumberArgumentParser(perSecond.most), perSecond.usual)
    .option('--per-day <requests>', 'requests a day', createNumberArgumentParser(perDay.most), perDay.usual)
    .option('--expires <date>', 'last day it works (UTC), such as 2027-06-30', parseDayArgument)
    .option('--json', 'print { "id", "key" }')
    .action((options: CreateOptions) => withServices((context) => createKey(context, options)));
  keys
    .command('list')
    .description('list the keys, without the keys themselves')
    .option(TENANT_OPTION, 'only those of this tenant')
    .option('--json', 'print an array')
    .action((options: ListOptions) => withServices((context) => printKeys(context, options)));
  keys
    .command('revoke')
    .description('make a key stop working')
    .argument('<id>', 'id as `keys list` shows it')
    .option(TENANT_OPTION, 'only if it belongs to this tenant')
    .action((id: string, { tenant }: ListOptions) => withServices((context) => revokeKey(context, id, tenant)));
}

async function createKey({ services, actor }: CommandContext, options: CreateOptions): Promise<void> {
  const tenant = await services.tenants.getTenantByIdOrName(options.tenant);
  const { id, key } = await services.apiKeys.createApiKey(actor, {
    tenantId: tenant.id,
    name: options.name,
    scopes: [...new Set(options.scope)],
    perSecond: options.perSecond,
    perDay: options.perDay,
    expiresAt: options.expires ?? null,
  });
  const text = `${key}\n(key ${id} of ${options.name}, ${tenant.name}; keep it safe, it is not shown again)`;
  try {
    await printForSure(options.json ? JSON.stringify({ id, key }) : text);
  } catch (error) {
    await services.apiKeys.revokeApiKey(actor, id).catch((cause: unknown) => {
      const advice = `Revoke it: skilldock keys revoke ${id}`;
      throw new AppError('INTERNAL', `The key ${id} could not be shown, and not be revoked either. ${advice}`, {
        cause,
      });
    });
    if (isDiskFullError(error)) throw error;
    throw new AppError('INTERNAL', 'The key could not be shown, so it was revoked. Make another one.', {
      cause: error,
    });
  }
}

async function printKeys(context: CommandContext, { tenant, json }: ListOptions): Promise<void> {
  const scope = await getTenantScope(context, tenant);
  const request = { scope, search: '', sort: 'createdAt', descending: false } as const;
  const keys = await listEveryItem((part) => context.services.apiKeys.listApiKeys({ ...request, ...part }));
  if (json) return printJson(keys);
  if (keys.length === 0)
    print(
      `There are no keys${tenant === undefined ? '' : ` of ${tenant}`} yet. Make one with: skilldock keys create --name NAME`,
    );
  for (const key of keys) {
    const { id, tenantId, name, scopes, perSecond, perDay } = key;
    const limits = `${perSecond} a second, ${perDay} a day`;
    print(`${id}  ${describeKeyState(key)}  ${name}  (${tenantId}; ${scopes.join(', ')}; ${limits})`);
  }
}

function describeKeyState({ expiresAt, revokedAt }: ApiKeyView): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  const day = expiresAt.toISOString().slice(0, 10);
  return expiresAt <= systemClock.now() ? `ended ${day}` : `until ${day}`;
}

async function revokeKey({ services, actor }: CommandContext, id: string, tenant?: string): Promise<void> {
  if (tenant !== undefined) {
    const owner = await services.tenants.getTenantByIdOrName(tenant);
    const key = await services.apiKeys.findApiKey(id);
    if (key?.tenantId !== owner.id)
      throw new AppError('API_KEY_NOT_FOUND', `${owner.name} has no key with the id ${id}.`);
  }
  await services.apiKeys.revokeApiKey(actor, id);
  print(`Key ${id} is revoked.`);
}
