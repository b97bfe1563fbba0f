import type { Command } from 'commander';
import { AppError } from '#errors';
import { listEveryItem } from '#services/host/every-item';
import type { OneTimeLink } from '#services/tenants/admins/admin-links';
import type { AdminView } from '#services/tenants/admins/admin-records';
import { print, toMinute } from './print.ts';
import { type CommandContext, withServices } from './with-services.ts';

/** `skilldock admin link`: for an owner who is locked out, or for the set-up. */
export function addAdminCommand(program: Command): void {
  program
    .command('admin')
    .description('the people of the admin page')
    .command('link')
    .description('print a one-time link: to set up the host, or for an owner to choose a new password')
    .option('--name <name>', 'whose password; the first owner without it')
    .action(({ name }: { name?: string }) => withServices((context) => createAdminLink(context, name)));
}

async function createAdminLink(context: CommandContext, name: string | undefined): Promise<void> {
  const { adminLinks } = context.services;
  const setup = await adminLinks.createSetupLink(context.actor);
  if (setup !== null) return printAdminLink(context, setup, 'Set up the host');
  const owner = await getOwner(context, name);
  const link = await adminLinks.createResetLink(context.actor, owner.id);
  printAdminLink(context, link, `${owner.name} chooses a new password`);
}

/** Returns the owner of this name, or the first owner without one. Errors: ADMIN_UNKNOWN. */
async function getOwner({ services }: CommandContext, name: string | undefined): Promise<AdminView> {
  const request = { search: '', sort: 'name', descending: false } as const;
  const admins = await listEveryItem((part) => services.admins.listAdmins({ ...request, ...part }));
  const isCalled = (admin: AdminView) =>
    name === undefined || admin.name.localeCompare(name.trim(), undefined, { sensitivity: 'base' }) === 0;
  const owners = admins.filter((admin) => admin.role === 'owner' && isCalled(admin));
  const [owner] = owners.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  if (owner !== undefined) return owner;
  const message = `There is no owner called ${name}. Without --name the link is for the first owner.`;
  throw new AppError('ADMIN_UNKNOWN', message);
}

function printAdminLink({ config }: CommandContext, { path, expiresAt }: OneTimeLink, purpose: string): void {
  const origin = config.publicUrl ?? `http://localhost:${config.port}`;
  print(`${purpose} at this address. It works once, until ${toMinute(expiresAt)} UTC:`);
  print(`  ${origin}${path}`);
}
