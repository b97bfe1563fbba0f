import { randomUUID } from 'node:crypto';
import { chooseAdminRole, type RoleMapping, type RoleScope, systemActor } from '#domain/admin';
import { cleanName } from '#domain/text';
import { AppError, hasErrorCode } from '#errors';
import type { OidcIdentity } from '#ports/oidc';
import type { AdminRecord, Store } from '#ports/store/store';
import {
  createAdminChangedError,
  demoteUnlessLastOwner,
  endAdminSessionsAt,
  findAdminNameProblems,
  findTenantsOfAdmin,
  makeAdmin,
  makeAdminChangeEvent,
  makeAdminJoinEvent,
  toAdminActor,
  updateAdmin,
} from './admin-records.ts';
import { type LinkRecordsDeps, revokeLinksBy } from './link-records.ts';

export interface OidcAccountsDeps extends LinkRecordsDeps, Pick<Store, 'adminSessions' | 'tenants'> {
  readonly roleMapping?: RoleMapping | undefined;
}

/** A role that a claim gives, and the values of the claim. */
type GivenRole = RoleScope & { readonly roleClaim: string };

const MAX_SAME_NAMES = 50;
/** Limit for a name from the provider, which leaves room for a number or a part of an id. */
const MAX_NAME = 90;

/** Returns the administrator of an account at the provider. A role that people gave is theirs to
 *  change. Any other follows from the claim: somebody new becomes an administrator, and whoever has
 *  lost the groups loses the role, but not the last owner. Without the claim nothing is known about
 *  groups: people are kept out and keep their roles.
 *  Errors: SIGN_IN_FAILED, with `reason` and `claim` in `data` if there is a mapping. */
export async function admitOidcAccount(
  deps: OidcAccountsDeps,
  identity: OidcIdentity,
  address: string | null,
): Promise<AdminRecord> {
  const { admins, adminSessions, roleMapping, clock } = deps;
  const record = await admins.findAdminByOidcSubject(identity.subject);
  if (record !== null && (roleMapping === undefined || record.roleClaim === null)) return record;
  const given = roleMapping === undefined ? null : await findGivenOidcRole(deps, roleMapping, identity);
  if (given !== null)
    return record === null ? joinByOidc(deps, identity, given, address) : giveOidcRole(deps, record, given);
  if (record !== null && identity.claimed !== null) {
    const demoted = await giveOidcRole(deps, record, { role: 'viewer', tenants: [], roleClaim: '' });
    if (demoted.role === 'owner') return demoted;
  } else if (record !== null) {
    if (record.role === 'owner' && (await admins.countAdmins('owner')) === 1) return record;
    await updateAdmin(admins, record.id, (latest) => endAdminSessionsAt(latest, clock.now()));
    await adminSessions.removeAdminSessions(record.id, null);
  }
  throw createOidcNotAdmittedError(roleMapping?.claim, identity);
}

/** Returns the role that the claim gives; null for none. Tenants that are gone are left out, and so
 *  are rules of which no tenant is left. */
async function findGivenOidcRole(
  { tenants }: OidcAccountsDeps,
  { rules }: RoleMapping,
  { claimed }: OidcIdentity,
): Promise<GivenRole | null> {
  const living = rules.map(async (rule) => ({
    ...rule,
    tenants: rule.tenants && (await findTenantsOfAdmin(tenants, rule.tenants)),
  }));
  const usable = (await Promise.all(living)).filter((rule) => rule.tenants?.length !== 0);
  const chosen = chooseAdminRole(usable, claimed ?? []);
  return chosen && { role: chosen.role, tenants: chosen.tenants, roleClaim: chosen.values.join(', ') };
}

async function joinByOidc(
  deps: OidcAccountsDeps,
  { subject, name }: OidcIdentity,
  given: GivenRole,
  address: string | null,
): Promise<AdminRecord> {
  const { admins, audit, clock } = deps;
  const proposed = cleanName(name ?? '').slice(0, MAX_NAME);
  const base =
    findAdminNameProblems(proposed).length === 0 ? proposed : subject.replace(/^\S+ /, '').slice(0, MAX_NAME);
  for (let number = 1; number <= MAX_SAME_NAMES; number++) {
    const id = randomUUID();
    const suffix = number < MAX_SAME_NAMES ? `${number}` : id.slice(0, 8);
    const uniqueName = number === 1 ? base : `${base} ${suffix}`;
    const account = { id, name: uniqueName, passwordHash: null, oidcSubject: subject };
    const record = { ...makeAdmin({ ...account, ...given }, clock.now()), roleClaim: given.roleClaim };
    if (await admins.addAdmin(record)) {
      await audit.record(toAdminActor(record, address), addClaim(deps, makeAdminJoinEvent(record), given));
      return record;
    }
    // The same person may sign in in another browser at the same moment.
    const existing = await admins.findAdminByOidcSubject(subject);
    if (existing !== null) return existing;
  }
  throw createAdminChangedError();
}

/** Ends the existing sessions if anything changes. The last owner stays an owner.
 *  @returns the record after the change */
async function giveOidcRole(deps: OidcAccountsDeps, record: AdminRecord, given: GivenRole): Promise<AdminRecord> {
  const { admins, adminSessions, audit, clock } = deps;
  const { id, role, tenants, roleClaim } = record;
  if (JSON.stringify([role, tenants, roleClaim]) === JSON.stringify([given.role, given.tenants, given.roleClaim]))
    return record;
  let next: AdminRecord | null = null;
  const change = async () => {
    next = await updateAdmin(admins, id, (latest) => endAdminSessionsAt({ ...latest, ...given }, clock.now()));
  };
  try {
    const isDemoted = role === 'owner' && given.role !== 'owner';
    await (isDemoted ? demoteUnlessLastOwner(admins, id, change) : change());
    if (isDemoted) await revokeLinksBy(deps, systemActor, record);
  } catch (error) {
    if (hasErrorCode(error, 'LAST_OWNER')) return record;
    throw error;
  }
  await adminSessions.removeAdminSessions(id, null);
  const changed = next ?? record;
  await audit.record(systemActor, addClaim(deps, makeAdminChangeEvent(record, changed), given));
  return changed;
}

function addClaim<E extends { readonly details?: object }>(
  { roleMapping }: OidcAccountsDeps,
  event: E,
  { roleClaim }: GivenRole,
) {
  return { ...event, details: { ...event.details, claim: `${roleMapping?.claim} = ${roleClaim || 'none'}` } };
}

function createOidcNotAdmittedError(claim: string | undefined, { claimed }: OidcIdentity): AppError {
  if (claim === undefined)
    return new AppError(
      'SIGN_IN_FAILED',
      'Nobody here has this account. Ask an owner for an invitation, and use the account there.',
    );
  const reason = claimed === null ? 'NO_CLAIM' : 'NO_ROLE';
  const problem = claimed === null ? 'is missing' : 'has no value that gives a role';
  return new AppError('SIGN_IN_FAILED', `The claim ${claim} of this account ${problem} here.`, {
    data: { reason, claim },
  });
}
