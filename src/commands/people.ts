import type { Command } from 'commander';
import { AppError } from '#errors';
import { countInWords, type JsonOption, print, printJson, printTable } from './print.ts';
import { type CommandContext, getTenantScope, TENANT_OPTION, withServices } from './with-services.ts';

type Options = JsonOption & { readonly tenant?: string };

/** `skilldock people find|export|erase`. */
export function addPeopleCommand(program: Command): void {
  const people = program.command('people').description('find, export and erase what is stored about one person');
  people
    .command('find')
    .description('list people by a part of their name, e-mail address, or LMS or Slack user id')
    .argument('<text>', 'the name, address or id')
    .option(TENANT_OPTION, 'only of this tenant')
    .option('--json', 'print an array')
    .action((text: string, options: Options) =>
      withServices((context) => printPeople(context, text, options), { mustExist: true }),
    );
  for (const [name, description, handlePerson] of [
    ['export', 'print all that is stored about a person, as JSON', exportPerson],
    ['erase', 'remove all that is stored about a person; it cannot be undone', erasePerson],
  ] as const)
    people
      .command(name)
      .description(description)
      .argument('<account...>', 'accounts and e-mail addresses as `people find` shows them')
      .option(TENANT_OPTION, 'whose person it is; needed except for administrators')
      .action((accounts: string[], { tenant }: Options) =>
        withServices((context) => handlePerson(context, accounts, tenant), { mustExist: true }),
      );
}

async function printPeople(context: CommandContext, text: string, { tenant, json }: Options): Promise<void> {
  const people = await context.services.personData.findPeople(await getTenantScope(context, tenant), text);
  if (json) return printJson(people);
  const rows = people.map(({ tenantId, account, records, names }) => [
    tenantId ?? '-',
    account,
    String(records),
    names.join(', '),
  ]);
  printTable([['TENANT', 'ACCOUNT', 'RECORDS', 'NAMES'], ...rows]);
}

async function identifyPerson(context: CommandContext, identifiers: readonly string[], tenant?: string) {
  const isAdmin = identifiers.every((account) => account.startsWith('admin:'));
  if (!isAdmin && tenant === undefined)
    throw new AppError('PARAMETERS_INVALID', 'Say whose person it is: give --tenant.');
  const [tenantId = null] = isAdmin ? [] : ((await getTenantScope(context, tenant)) ?? []);
  const emails = identifiers.filter((text) => text.includes('@') && !/^(?:lti|slack|admin):/.test(text));
  const accounts = identifiers.filter((text) => !emails.includes(text));
  return context.services.personData.identifyPerson({ tenantId, accounts, emails });
}

async function exportPerson(context: CommandContext, identifiers: readonly string[], tenant?: string): Promise<void> {
  const { services, actor } = context;
  printJson(await services.personData.exportPerson(actor, await identifyPerson(context, identifiers, tenant)));
}

async function erasePerson(context: CommandContext, identifiers: readonly string[], tenant?: string): Promise<void> {
  const { services, actor } = context;
  const counts = await services.personData.erasePerson(actor, await identifyPerson(context, identifiers, tenant));
  for (const [kind, count] of counts) print(`${kind}: ${countInWords(count, 'record')}`);
  print(counts.size === 0 ? 'Nothing was stored.' : 'Erased.');
}
