import { type Actor, type AdminRole, type RoleScope, systemActor } from '#domain/admin';
import { DEFAULT_TENANT } from '#domain/tenant';
import type { AdminListRequest, AdminRecord, AdminRepository, Page, Store } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import type { Secrets } from '#services/host/secrets';
import type { AdminLinksDeps } from './admin-links.ts';
import type { AdminView } from './admin-records.ts';
import * as records from './admin-records.ts';
import { revokeLinksBy, revokeResetLinks } from './link-records.ts';
import { changePassword } from './prove-password.ts';
import { toFactorSecretName } from './second-factor.ts';

export type AdminChange = RoleScope & { readonly version: number };

/** Changes are audited, and take effect at once for people who are signed in. */
export type Admins = ReturnType<typeof createAdmins>;

export interface AdminsDeps extends AdminLinksDeps, Pick<Store, 'rateCounters'> {
  readonly totpSecrets: Pick<Secrets, 'removeSecret'>;
}

const FIRST_OWNER_NAME = 'admin';

export function createAdmins(deps: AdminsDeps) {
  const { admins, audit, roleMapping } = deps;

  return {
    roleMapping,
    /** Returns the ids of tenants that the rules of the mapping name and that do not exist. */
    findUnknownRuleTenants: () => records.findUnknownRuleTenants(deps.tenants, roleMapping),
    async listAdmins(request: AdminListRequest): Promise<Page<AdminView>> {
      const { items, total } = await admins.listAdmins(request);
      return { items: items.map(records.toAdminView), total };
    },
    async findAdmin(id: string): Promise<AdminView | null> {
      const record = await admins.findAdmin(id);
      return record && records.toAdminView(record);
    },
    countAdmins: (role?: AdminRole) => admins.countAdmins(role),
    /** Changes the role. An administrator who is no longer an owner loses the links they made.
     *  Errors: ADMIN_UNKNOWN, ROLE_FROM_CLAIM, CHANGED_MEANWHILE, LAST_OWNER; FORM_INVALID where a
     *  manager has no tenants, or a tenant does not exist. */
    async changeAdmin(actor: Actor, id: string, { version, role, tenants }: AdminChange): Promise<void> {
      const record = await records.getAdminRecord(admins, id);
      // A role that the claim took away may be given by people again.
      if (record.roleClaim !== '') records.refuseAdminRoleFromClaim(roleMapping, record);
      // The store refuses the change of an outdated version.
      const scope = await records.checkLivingScope(deps.tenants, role, tenants);
      const next = { ...record, role, tenants: scope, roleClaim: null, version: version + 1 };
      if (record.role === 'owner' && role !== 'owner') {
        await records.demoteUnlessLastOwner(admins, id, () => replaceAdmin(admins, next));
        await revokeLinksBy(deps, actor, record);
      } else {
        await replaceAdmin(admins, next);
      }
      await audit.record(actor, records.makeAdminChangeEvent(record, next));
    },
    /** Removes an administrator, their sessions and links. Errors: ADMIN_UNKNOWN, LAST_OWNER. */
    async removeAdmin(actor: Actor, id: string): Promise<void> {
      const record = await records.getAdminRecord(admins, id);
      if (record.role === 'owner') await records.demoteUnlessLastOwner(admins, id, () => demoteOwner(admins, id));
      if (!(await admins.removeAdmin(id))) throw records.createAdminUnknownError();
      await deps.totpSecrets.removeSecret(DEFAULT_TENANT, toFactorSecretName(id));
      await revokeLinksBy(deps, actor, record);
      await revokeResetLinks(deps, actor, record);
      await audit.record(actor, { action: 'admin.removed', tenantId: null, target: record.name });
    },
    ...bindState(deps, { changePassword }),
    /** Creates the owner `admin` if there is no owner. Errors: FORM_INVALID. */
    prepareOwner: (password: string) => prepareOwner(deps, password),
  };
}

async function replaceAdmin(admins: AdminRepository, record: AdminRecord): Promise<void> {
  if (!(await admins.replaceAdmin(record))) throw records.createAdminChangedError();
}

async function demoteOwner(admins: AdminRepository, id: string): Promise<void> {
  await records.updateAdmin(admins, id, (record) => ({ ...record, role: 'viewer', tenants: [] }));
}

async function prepareOwner({ admins, passwords, audit, clock }: AdminsDeps, password: string): Promise<void> {
  if ((await admins.countAdmins('owner')) > 0) return;
  const name = FIRST_OWNER_NAME;
  records.checkAdminProblems(await passwords.findProblems(password, name));
  const passwordHash = await passwords.hashPassword(password);
  const owner = records.makeAdmin(
    { id: records.FIRST_ADMIN_ID, name, passwordHash, oidcSubject: null, role: 'owner', tenants: null },
    clock.now(),
  );
  // Another host may have created the owner at the same moment.
  if (await admins.addAdmin(owner)) await audit.record(systemActor, records.makeAdminJoinEvent(owner));
}
