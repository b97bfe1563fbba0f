import { type Actor, isAdminRoleAtLeast, isInAdminScope } from '#domain/admin';
import type { Clock } from '#ports/clock';
import type { AdminRepository, Store } from '#ports/store/store';
import { consumeStoredValue, findStoredValue } from '#services/host/stored-values';
import { createUnusableAdminLink } from './admins/admin-links.ts';
import { findAdminTokenId, makeAdminToken } from './admins/admin-records.ts';
import type { Audit } from './audit.ts';
import { getActiveTenant } from './tenant-records.ts';

/** Permission to add one thing to a tenant, once. */
export interface TenantLink {
  readonly tenantId: string;
  readonly actor: Actor;
  readonly expiresAt: Date;
}

/** A link as JSON has it. */
type StoredTenantLink = Omit<TenantLink, 'expiresAt'> & { readonly expiresAt: string };

/** What a link is for: registering one platform, or connecting one workspace. */
export type TenantLinkPurpose = 'registration' | 'slack-install';

const LIFETIME_MS = 24 * 3_600_000;

/** Prefixes of nonce names. They must not change: links outlive updates. */
const nonceNames: Readonly<Record<TenantLinkPurpose, string>> = {
  registration: 'lti-registration-link',
  'slack-install': 'slack-install-link',
};

interface TenantLinksDeps extends Pick<Store, 'nonces' | 'tenants'> {
  readonly purpose: TenantLinkPurpose;
  readonly admins: Pick<AdminRepository, 'findAdmin'>;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** One-time links of one purpose. They are valid for 24 hours. */
export function createTenantLinks(deps: TenantLinksDeps) {
  return {
    create: (actor: Actor, tenantId: string) => createTenantLink(deps, actor, tenantId),
    /** Errors: LINK_INVALID (unknown, used, expired, or its maker may not manage the tenant). */
    getLink: async (token: string) => checkTenantLink(deps, await findStoredValue(deps, nameTenantLink(deps, token))),
    /** Consumes the link and runs the work; restores it if the work fails. Errors: LINK_INVALID. */
    async use<T>(token: string, work: (link: TenantLink) => Promise<T>): Promise<T> {
      const name = nameTenantLink(deps, token);
      const link = await checkTenantLink(deps, await consumeStoredValue(deps, name));
      try {
        return await work(link);
      } catch (error) {
        await addTenantLink(deps, name, link);
        throw error;
      }
    },
  };
}

/** @returns the token, which is not stored. Errors: TENANT_UNKNOWN, TENANT_DISABLED */
async function createTenantLink(deps: TenantLinksDeps, actor: Actor, tenantId: string) {
  const { purpose, tenants, audit, clock } = deps;
  await getActiveTenant(tenants, tenantId);
  const { token } = makeAdminToken();
  const expiresAt = new Date(clock.now().getTime() + LIFETIME_MS);
  await addTenantLink(deps, nameTenantLink(deps, token), { tenantId, actor, expiresAt });
  await audit.record(actor, { action: 'link.created', tenantId, target: purpose });
  return { token, expiresAt };
}

const addTenantLink = ({ nonces }: TenantLinksDeps, name: string, link: TenantLink): Promise<boolean> =>
  nonces.addNonce(name, JSON.stringify(link), link.expiresAt);

/** Returns the name in the store, with the hash of a token. Errors: LINK_INVALID if malformed. */
function nameTenantLink({ purpose }: TenantLinksDeps, token: string): string {
  const id = findAdminTokenId(token);
  if (id === null) throw createUnusableAdminLink();
  return `${nonceNames[purpose]} ${id}`;
}

/** Returns a stored link, which allows only what its maker may still do. Errors: LINK_INVALID. */
async function checkTenantLink({ admins }: TenantLinksDeps, stored: StoredTenantLink | null): Promise<TenantLink> {
  if (stored === null) throw createUnusableAdminLink();
  const { actor, tenantId } = stored;
  if (actor.kind === 'admin') {
    const admin = await admins.findAdmin(actor.id ?? '');
    const isManager = admin !== null && isAdminRoleAtLeast(admin.role, 'manager');
    if (!isManager || !isInAdminScope(admin.tenants, tenantId)) throw createUnusableAdminLink();
  }
  return { ...stored, expiresAt: new Date(stored.expiresAt) };
}
