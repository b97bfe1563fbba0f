import type { Actor } from '../domain/actor.ts';
import { covers, isAtLeast } from '../domain/admin.ts';
import type { Clock } from '../ports/clock.ts';
import type { AdminRepository, NonceRepository, TenantRepository } from '../ports/store.ts';
import { findTokenId, makeToken } from './admins/admin-records.ts';
import { linkInvalid } from './admins/use-link.ts';
import type { Audit } from './audit.ts';
import { getActiveTenant } from './tenants/tenant-records.ts';

/** What a link lets its holder do, once: register one platform in this tenant. */
export interface RegistrationLink {
  readonly tenantId: string;
  /** Who made it. */
  readonly actor: Actor;
  readonly expiresAt: Date;
}

/** Links for dynamic registration: 24 hours, each for one platform. */
export interface LtiRegistrationLinks {
  /** @returns the token, which is kept nowhere. Errors: TENANT_UNKNOWN, TENANT_DISABLED */
  create(actor: Actor, tenantId: string): Promise<{ readonly token: string; readonly expiresAt: Date }>;
  /** Errors: LINK_INVALID when it was never made, is used up or has expired, or who made it may not manage the tenant any more. */
  getLink(token: string): Promise<RegistrationLink>;
  /** Takes the link, does the work, and gives it back where the work fails. Errors: LINK_INVALID, those of the work. */
  use<T>(token: string, work: (link: RegistrationLink) => Promise<T>): Promise<T>;
}

export interface LtiRegistrationLinksDeps {
  readonly nonces: NonceRepository;
  readonly tenants: TenantRepository;
  readonly admins: Pick<AdminRepository, 'findAdmin'>;
  readonly audit: Audit;
  readonly clock: Clock;
}

const LIFETIME_MS = 24 * 3_600_000;

export function createLtiRegistrationLinks(deps: LtiRegistrationLinksDeps): LtiRegistrationLinks {
  const { nonces, tenants, admins, audit, clock } = deps;

  const keep = (name: string, link: RegistrationLink) =>
    nonces.addNonce(name, JSON.stringify(link), link.expiresAt);

  /** What somebody may not do any more, their link does not let others do. */
  async function stillMay({ actor, tenantId }: RegistrationLink): Promise<boolean> {
    if (actor.kind !== 'admin') return true;
    const admin = await admins.findAdmin(actor.id ?? '');
    return admin !== null && isAtLeast(admin.role, 'manager') && covers(admin.tenants, tenantId);
  }

  /** Errors: LINK_INVALID. */
  async function checked(data: string | null): Promise<RegistrationLink> {
    const link = toLink(data);
    if (await stillMay(link)) return link;
    throw linkInvalid();
  }

  return {
    async create(actor, tenantId) {
      await getActiveTenant(tenants, tenantId);
      const { token, id } = makeToken();
      const expiresAt = new Date(clock.now().getTime() + LIFETIME_MS);
      await keep(nonceOf(id), { tenantId, actor, expiresAt });
      await audit.record(actor, { action: 'link.created', tenantId, target: 'registration' });
      return { token, expiresAt };
    },
    getLink: async (token) => checked(await nonces.findNonce(nameOf(token), clock.now())),
    async use(token, work) {
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

/** The store knows a link by the hash of its token only. */
const nonceOf = (id: string): string => `lti-registration-link ${id}`;

/** Errors: LINK_INVALID for what never was a token. */
function nameOf(token: string): string {
  const id = findTokenId(token);
  if (id === null) throw linkInvalid();
  return nonceOf(id);
}

/** Errors: LINK_INVALID for null. */
function toLink(data: string | null): RegistrationLink {
  if (data === null) throw linkInvalid();
  const { expiresAt, ...link } = JSON.parse(data);
  return { ...link, expiresAt: new Date(expiresAt) };
}
