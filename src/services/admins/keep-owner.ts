import { AppError } from '../../errors.ts';
import type { AdminRepository } from '../../ports/store/store.ts';
import { updateAdmin } from './admin-records.ts';

/** Takes the role away from an owner, unless nobody else has it. Counted again afterwards, because two owners may do this
 *  to each other at once: then the role is given back. Errors: LAST_OWNER; whatever `demote` throws. */
export async function keepAnOwner(
  admins: AdminRepository,
  id: string,
  demote: () => Promise<void>,
): Promise<void> {
  if ((await admins.countAdmins('owner')) <= 1) throw lastOwner();
  await demote();
  if ((await admins.countAdmins('owner')) > 0) return;
  await updateAdmin(admins, id, (record) => ({ ...record, role: 'owner', tenants: null }));
  throw lastOwner();
}

function lastOwner(): AppError {
  return new AppError(
    'LAST_OWNER',
    'This is the only owner, and without one nobody could manage the host. Make somebody else an owner first.',
  );
}
