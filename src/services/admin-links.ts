import type { Actor } from '../domain/actor.ts';
import type { AdminRole, TenantScope } from '../domain/admin.ts';
import type { Clock } from '../ports/clock.ts';
import type {
  AdminLinkRecord,
  AdminLinkRepository,
  AdminRepository,
  AdminSessionRepository,
} from '../ports/store.ts';
import { adminUnknown, findTokenId, makeToken } from './admin-records.ts';
import { checkScope } from './admin-rules.ts';
import type { ShownAdmin } from './admins.ts';
import type { Audit } from './audit.ts';
import { recordLink } from './link-records.ts';
import type { Passwords } from './passwords.ts';
import { createLinkUse, linkInvalid } from './use-link.ts';

/** How a link's holder will sign in. */
export type Credentials =
  | { readonly kind: 'password'; readonly name: string; readonly password: string }
  | { readonly kind: 'oidc'; readonly name: string; readonly subject: string };

export interface LinkGiven {
  /** Path on the host, with the token: `/admin/link/…`. */
  readonly path: string;
  readonly expiresAt: Date;
}

/** One-time links: set-up, invitation, reset. Tokens are given once; the store keeps their hash. */
export interface AdminLinks {
  /** Null when there is an administrator already. 24 hours. */
  createSetupLink(actor: Actor): Promise<LinkGiven | null>;
  /** 7 days. Errors: FORM_INVALID (a manager without tenants). */
  createInvitation(actor: Actor, wanted: { role: AdminRole; tenants: TenantScope }): Promise<LinkGiven>;
  /** 24 hours. Errors: ADMIN_UNKNOWN. */
  createResetLink(actor: Actor, adminId: string): Promise<LinkGiven>;
  /** Null when it is not valid (any more); nothing is used up by looking. */
  findLink(token: string): Promise<AdminLinkRecord | null>;
  /** Name and password are checked first, so that a link outlives a bad password. A reset keeps the name and ends all
   *  sessions; with an OpenID Connect account it takes the password away, with a password it leaves the account.
   *  Errors: LINK_INVALID, FORM_INVALID with problems of `name` and `password`, ADMIN_NAME_TAKEN (`data.taken` is `name`
   *  or `account`), RATE_LIMITED when very many passwords are being checked. */
  useLink(token: string, credentials: Credentials, address: string | null): Promise<ShownAdmin>;
  /** Those that can be used, newest first. */
  listLinks(): Promise<readonly AdminLinkRecord[]>;
  /** Errors: LINK_INVALID. */
  revokeLink(actor: Actor, linkId: string): Promise<void>;
}

export interface AdminLinksDeps {
  readonly admins: AdminRepository;
  readonly adminLinks: AdminLinkRepository;
  readonly adminSessions: AdminSessionRepository;
  readonly passwords: Passwords;
  readonly audit: Audit;
  readonly clock: Clock;
}

type NewLink = Pick<AdminLinkRecord, 'kind' | 'adminId' | 'role' | 'tenants'>;

const HOUR_MS = 3_600_000;
const LIFETIME_MS = { setup: 24 * HOUR_MS, invitation: 7 * 24 * HOUR_MS, reset: 24 * HOUR_MS } as const;

export function createAdminLinks(deps: AdminLinksDeps): AdminLinks {
  const { admins, adminLinks, clock } = deps;

  async function createLink(actor: Actor, wanted: NewLink): Promise<LinkGiven> {
    const { token, id } = makeToken();
    const createdAt = clock.now();
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS[wanted.kind]);
    const link = { ...wanted, id, createdBy: actor.name, createdAt, expiresAt };
    await adminLinks.addAdminLink(link);
    await recordLink(deps, actor, { action: 'link.created', link });
    return { path: `/admin/link/${token}`, expiresAt };
  }

  /** Set-up links end with the first administrator, reset links with theirs. */
  async function isUsable({ kind, adminId }: AdminLinkRecord): Promise<boolean> {
    if (kind === 'setup') return (await admins.countAdmins()) === 0;
    return adminId === null || (await admins.findAdmin(adminId)) !== null;
  }

  async function findLink(token: string): Promise<AdminLinkRecord | null> {
    const id = findTokenId(token);
    const link = id === null ? null : await adminLinks.findAdminLink(id, clock.now());
    return link !== null && (await isUsable(link)) ? link : null;
  }

  return {
    async createSetupLink(actor) {
      if ((await admins.countAdmins()) > 0) return null;
      return createLink(actor, { kind: 'setup', adminId: null, role: 'owner', tenants: null });
    },
    createInvitation: async (actor, { role, tenants }) =>
      createLink(actor, { kind: 'invitation', adminId: null, role, tenants: checkScope(role, tenants) }),
    async createResetLink(actor, adminId) {
      const record = await admins.findAdmin(adminId);
      if (record === null) throw adminUnknown();
      return createLink(actor, { kind: 'reset', adminId, role: record.role, tenants: record.tenants });
    },
    findLink,
    useLink: createLinkUse(deps, findLink),
    async listLinks() {
      const links = await adminLinks.listAdminLinks(clock.now());
      const usable = await Promise.all(links.map(isUsable));
      return links.filter((_, index) => usable[index]);
    },
    async revokeLink(actor, linkId) {
      const link = await adminLinks.findAdminLink(linkId, clock.now());
      if (link === null || !(await adminLinks.removeAdminLink(linkId))) throw linkInvalid();
      await recordLink(deps, actor, { action: 'link.revoked', link });
    },
  };
}
