import type { Command } from 'commander';
import { AppError } from '#errors';
import { countInWords, type JsonOption, print, printJson, printTable } from './print.ts';
import { type CommandContext, findTenantScope, TENANT_OPTION, withServices } from './with-services.ts';

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
  for (const [name, description, run] of [
    ['export', 'print all that is stored about a person, as JSON', writeExport],
    ['erase', 'remove all that is stored about a person; it cannot be undone', erase],
  ] as const)
    people
      .command(name)
      .description(description)
      .argument('<account...>', 'accounts and e-mail addresses as `people find` shows them')
      .option(TENANT_OPTION, 'whose person it is; needed except for administrators')
      .action((accounts: string[], { tenant }: Options) =>
        withServices((context) => run(context, accounts, tenant), { mustExist: true }),
      );
}

async function printPeople(context: CommandContext, text: string, { tenant, json }: Options): Promise<void> {
  const people = await context.services.personData.findPeople(await findTenantScope(context, tenant), text);
  if (json) return printJson(people);
  const rows = people.map((each) => [each.tenantId ?? '-', each.account, `${each.records}`, each.names.join(', ')]);
  printTable([['TENANT', 'ACCOUNT', 'RECORDS', 'NAMES'], ...rows]);
}

async function printPersonDataLink(context: CommandContext, identifiers: readonly string[], tenant?: string) {
  const isAdmin = identifiers.every((account) => account.startsWith('admin:'));
  if (!isAdmin && tenant === undefined)
    throw new AppError('PARAMETERS_INVALID', 'Say whose person it is: give --tenant.');
  const [tenantId = null] = isAdmin ? [] : ((await findTenantScope(context, tenant)) ?? []);
  const emails = identifiers.filter((each) => each.includes('@') && !/^(?:lti|slack|admin):/.test(each));
  const accounts = identifiers.filter((each) => !emails.includes(each));
  return context.services.personData.identifyPerson({ tenantId, accounts, emails });
}

async function writeExport(context: CommandContext, identifiers: readonly string[], tenant?: string): Promise<void> {
  const { services, actor } = context;
  printJson(await services.personData.exportPerson(actor, await printPersonDataLink(context, identifiers, tenant)));
}

async function erase(context: CommandContext, identifiers: readonly string[], tenant?: string): Promise<void> {
  const { services, actor } = context;
  const counts = await services.personData.erasePerson(actor, await printPersonDataLink(context, identifiers, tenant));
  for (const [kind, count] of counts) print(`${kind}: ${countInWords(count, 'record')}`);
  print(counts.size === 0 ? 'Nothing was stored.' : 'Erased.');
}
