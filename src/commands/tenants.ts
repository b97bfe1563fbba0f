import type { Command } from 'commander';
import { listEveryItem } from '#services/host/every-item';
import { parseNameArgument } from './arguments.ts';
import { type JsonOption, printJson, printResult, printTable } from './print.ts';
import { type CommandContext, withServices } from './with-services.ts';

/** `skilldock tenants list|create`. */
export function addTenantsCommand(program: Command): void {
  const tenants = program.command('tenants').description('list and make tenants');
  tenants
    .command('list')
    .description('list the tenants')
    .option('--json', 'print an array')
    .action((options: JsonOption) => withServices((context) => printTenants(context, options)));
  tenants
    .command('create')
    .description('make a tenant that searches in the catalogue of this host')
    .argument('<name>', 'name of the institution', parseNameArgument)
    .option('--json', 'print { "id", "name" }')
    .action((name: string, options: JsonOption) => withServices((context) => createTenant(context, name, options)));
}

async function printTenants({ services }: CommandContext, { json }: JsonOption): Promise<void> {
  const request = { scope: null, search: '', sort: 'name', descending: false } as const;
  const tenants = await listEveryItem((part) => services.tenants.listTenants({ ...request, ...part }));
  if (json)
    return printJson(
      tenants.map(({ id, name, status, upstream, createdAt }) => ({ id, name, status, upstream, createdAt })),
    );
  printTable([
    ['ID', 'STATUS', 'UPSTREAM', 'NAME'],
    ...tenants.map(({ id, name, status, upstream }) => [id, status, upstream.kind, name]),
  ]);
}

async function createTenant(
  { services, actor }: CommandContext,
  typedName: string,
  options: JsonOption,
): Promise<void> {
  const { id, name } = await services.tenants.createTenant(actor, typedName);
  printResult(options, { id, name }, `Tenant ${name} is made; its id is ${id}.`);
}
