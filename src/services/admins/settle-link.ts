import type { AdminLinkRecord, AdminRepository, TenantRepository } from '../../ports/store/store.ts';
import { findLivingTenants } from './living-tenants.ts';

export interface LinkSettlingDeps {
  readonly admins: AdminRepository;
  readonly tenants: TenantRepository;
}

/** What a stored link is worth at this moment: without the tenants that are gone. Null when it is good for nothing. */
export type SettleLink = (link: AdminLinkRecord) => Promise<AdminLinkRecord | null>;

/** A link ends when its maker is no owner any more, also one that was stored just after theirs were taken away. Set-up links
 *  end with the first administrator, reset links with theirs, invitations with the last of their tenants. */
export function createLinkSettling({ admins, tenants }: LinkSettlingDeps): SettleLink {
  async function isMakerGone({ createdById }: AdminLinkRecord): Promise<boolean> {
    return createdById !== null && (await admins.findAdmin(createdById))?.role !== 'owner';
  }

  async function settleInvitation(link: AdminLinkRecord): Promise<AdminLinkRecord | null> {
    if (link.tenants === null) return link;
    const living = await findLivingTenants(tenants, link.tenants);
    return living.length === 0 ? null : { ...link, tenants: living };
  }

  return async (link) => {
    if (await isMakerGone(link)) return null;
    if (link.kind === 'invitation') return settleInvitation(link);
    const isOpen =
      link.kind === 'setup'
        ? (await admins.countAdmins()) === 0
        : (await admins.findAdmin(link.adminId ?? '')) !== null;
    return isOpen ? link : null;
  };
}
