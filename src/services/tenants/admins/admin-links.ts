import type { Actor, AdminRole, TenantScope } from '#domain/admin';
import type { Clock } from '#ports/clock';
import type {
  AdminLinkRecord,
  AdminLinkRepository,
  AdminRepository,
  AdminSessionRepository,
  TenantRepository,
} from '#ports/store/store';
import type { Audit } from '../audit.ts';
import { createAdminUnknownError, findAdminTokenId, makeAdminToken } from './admin-records.ts';
import { checkLivingScope } from './admin-rules.ts';
import { createLinkSettler, recordLinkEvent } from './link-records.ts';
import type { Passwords } from './passwords.ts';
import { createLinkUse, createUnusableLinkError, type UseLink } from './use-link.ts';

export interface LinkGiven {
  /** Path on the host, with the token: `/admin/link/…`. */
  readonly path: string;
  readonly expiresAt: Date;
}

/** One-time links: set-up, invitation, reset. Tokens are given once; the store keeps their hash. */
export interface AdminLinks {
  /** Null when there is an administrator already. 24 hours. */
  createSetupLink(actor: Actor): Promise<LinkGiven | null>;
  /** 7 days. Errors: FORM_INVALID (a manager without tenants, a tenant that is gone). */
  createInvitation(actor: Actor, wanted: { role: AdminRole; tenants: TenantScope }): Promise<LinkGiven>;
  /** 24 hours. Errors: ADMIN_UNKNOWN. */
  createResetLink(actor: Actor, adminId: string): Promise<LinkGiven>;
  /** Null when it is not valid (any more), also because its maker is no longer an owner or all of its tenants are gone. Tenants
   *  that are gone are left out. Looking does not use it up. */
  findLink(token: string): Promise<AdminLinkRecord | null>;
  readonly useLink: UseLink;
  /** Links that can still be used, newest first. */
  listLinks(): Promise<readonly AdminLinkRecord[]>;
  /** Errors: LINK_INVALID. */
  revokeLink(actor: Actor, linkId: string): Promise<void>;
}

export interface AdminLinksDeps {
  readonly admins: AdminRepository;
  readonly adminLinks: AdminLinkRepository;
  readonly adminSessions: AdminSessionRepository;
  readonly tenants: TenantRepository;
  readonly passwords: Passwords;
  readonly audit: Audit;
  readonly clock: Clock;
}

type NewLink = Pick<AdminLinkRecord, 'kind' | 'adminId' | 'role' | 'tenants'>;

const HOUR_MS = 3_600_000;

const LIFETIME_MS = { setup: 24 * HOUR_MS, invitation: 7 * 24 * HOUR_MS, reset: 24 * HOUR_MS } as const;

export function createAdminLinks(deps: AdminLinksDeps): AdminLinks {
  const { admins, adminLinks, clock } = deps;
  const settleLink = createLinkSettler(deps);

  async function createLink(actor: Actor, wanted: NewLink): Promise<LinkGiven> {
    const { token, id } = makeAdminToken();
    const createdAt = clock.now();
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS[wanted.kind]);
    const link = { ...wanted, id, createdBy: actor.name, createdById: actor.id, createdAt, expiresAt };
    await adminLinks.addAdminLink(link);
    await recordLinkEvent(deps, actor, { action: 'link.created', link });
    return { path: `/admin/link/${token}`, expiresAt };
  }

  async function findLink(token: string): Promise<AdminLinkRecord | null> {
    const id = findAdminTokenId(token);
    const link = id === null ? null : await adminLinks.findAdminLink(id, clock.now());
    return link && settleLink(link);
  }

  return {
    async createSetupLink(actor) {
      if ((await admins.countAdmins()) > 0) return null;
      return createLink(actor, { kind: 'setup', adminId: null, role: 'owner', tenants: null });
    },
    async createInvitation(actor, { role, tenants }) {
      const scope = await checkLivingScope(deps.tenants, role, tenants);
      return createLink(actor, { kind: 'invitation', adminId: null, role, tenants: scope });
    },
    async createResetLink(actor, adminId) {
      const record = await admins.findAdmin(adminId);
      if (record === null) throw createAdminUnknownError();
      return createLink(actor, { kind: 'reset', adminId, role: record.role, tenants: record.tenants });
    },
    findLink,
    useLink: createLinkUse(deps, { findLink, settleLink }),
    async listLinks() {
      const links = await adminLinks.listAdminLinks(clock.now());
      const settled = await Promise.all(links.map(settleLink));
      return settled.filter((link) => link !== null);
    },
    async revokeLink(actor, linkId) {
      const link = await adminLinks.findAdminLink(linkId, clock.now());
      if (link === null || !(await adminLinks.removeAdminLink(linkId))) throw createUnusableLinkError();
      await recordLinkEvent(deps, actor, { action: 'link.revoked', link });
    },
  };
}
