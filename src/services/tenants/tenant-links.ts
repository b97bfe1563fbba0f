import { type Actor, isAdminRoleAtLeast, isInScope } from '#domain/admin';
import type { Clock } from '#ports/clock';
import type { AdminRepository, Store } from '#ports/store/store';
import { createUnusableLinkError } from './admins/admin-links.ts';
import { findAdminTokenId, makeAdminToken } from './admins/admin-records.ts';
import type { Audit } from './audit.ts';
import { getActiveTenant } from './tenant-records.ts';

/** Permission to add one thing to a tenant, once. */
export interface TenantLink {
  readonly tenantId: string;
  /** Who made it. */
  readonly actor: Actor;
  readonly expiresAt: Date;
}

/** One-time links of one purpose. They are valid for 24 hours. */
export type TenantLinks = ReturnType<typeof createTenantLinks>;

/** What a link is for: registering one platform, or connecting one workspace. */
export type TenantLinkPurpose = 'registration' | 'slack-install';

const LIFETIME_MS = 24 * 3_600_000;

/** Prefixes of the names of links in the store. They must not change, as links outlive an
 *  update. */
const nonceNames: Readonly<Record<TenantLinkPurpose, string>> = {
  registration: 'lti-registration-link',
  'slack-install': 'slack-install-link',
};

export function createTenantLinks(
  deps: Pick<Store, 'nonces' | 'tenants'> & {
    readonly purpose: TenantLinkPurpose;
    readonly admins: Pick<AdminRepository, 'findAdmin'>;
    readonly audit: Audit;
    readonly clock: Clock;
  },
) {
  const { purpose, nonces, tenants, admins, audit, clock } = deps;

  const keep = (name: string, link: TenantLink) => nonces.addNonce(name, JSON.stringify(link), link.expiresAt);

  /** The store has only the hash of a token. */
  const nonceOf = (id: string) => `${nonceNames[purpose]} ${id}`;

  /** Errors: LINK_INVALID for a text that cannot be a token. */
  function nameOf(token: string): string {
    const id = findAdminTokenId(token);
    if (id === null) throw createUnusableLinkError();
    return nonceOf(id);
  }

  /** A link allows no more than its maker is still allowed to do. */
  async function stillMay({ actor, tenantId }: TenantLink): Promise<boolean> {
    if (actor.kind !== 'admin') return true;
    const admin = await admins.findAdmin(actor.id ?? '');
    return admin !== null && isAdminRoleAtLeast(admin.role, 'manager') && isInScope(admin.tenants, tenantId);
  }

  /** Errors: LINK_INVALID. */
  async function checked(data: string | null): Promise<TenantLink> {
    const link = toLink(data);
    if (await stillMay(link)) return link;
    throw createUnusableLinkError();
  }

  return {
    /** @returns the token, which is not stored. Errors: TENANT_UNKNOWN, TENANT_DISABLED */
    async create(actor: Actor, tenantId: string): Promise<{ readonly token: string; readonly expiresAt: Date }> {
      await getActiveTenant(tenants, tenantId);
      const { token, id } = makeAdminToken();
      const expiresAt = new Date(clock.now().getTime() + LIFETIME_MS);
      await keep(nonceOf(id), { tenantId, actor, expiresAt });
      await audit.record(actor, { action: 'link.created', tenantId, target: purpose });
      return { token, expiresAt };
    },
    /** Errors: LINK_INVALID when it does not exist, was used, has expired, or its maker may not
     *  manage the tenant any more. */
    getLink: async (token: string) => checked(await nonces.findNonce(nameOf(token), clock.now())),
    /** Consumes the link and runs the work. The link is restored where the work fails. Errors:
     *  LINK_INVALID, those of the work. */
    async use<T>(token: string, work: (link: TenantLink) => Promise<T>): Promise<T> {
      const name = nameOf(token);
      const link = await checked(await nonces.consumeNonce(name, clock.now()));
      try {
        return await work(link);
      } catch (error) {
        await keep(name, link);
        throw error;
      }
    },
  };
}

/** Errors: LINK_INVALID for null. */
function toLink(data: string | null): TenantLink {
  if (data === null) throw createUnusableLinkError();
  const { expiresAt, ...link } = JSON.parse(data);
  return { ...link, expiresAt: new Date(expiresAt) };
}
