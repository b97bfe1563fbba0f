import type { Actor } from '#domain/admin';
import type { Clock } from '#ports/clock';
import type { AdminLinkRecord, AdminRecord, Store } from '#ports/store/store';
import type { Audit, AuditAction } from '../audit.ts';
import { describeAdminScope, findTenantsOfAdmin } from './admin-records.ts';

export interface LinkRecordsDeps extends Pick<Store, 'admins' | 'adminLinks'> {
  readonly audit: Audit;
  readonly clock: Clock;
}

export type IsConcerned = (link: AdminLinkRecord) => boolean;

/** Links for choosing a password; they end once it is chosen. */
export const isLinkRecordFor =
  ({ id }: AdminRecord): IsConcerned =>
  (link) =>
    link.adminId === id;

/** Records an event of a link in the audit trail: never its ID, which is the hash of its token. */
export async function recordLinkEvent(
  { admins, audit }: LinkRecordsDeps,
  actor: Actor,
  { action, link }: { action: AuditAction & `link.${string}`; link: AdminLinkRecord },
): Promise<void> {
  const { kind, adminId, role, tenants } = link;
  const holder = adminId === null ? null : await admins.findAdmin(adminId);
  const target = holder === null ? kind : `${kind}: ${holder.name}`;
  const details = kind === 'reset' ? {} : { role, tenants: describeAdminScope(tenants) };
  await audit.record(actor, { action, tenantId: null, target, details });
}

/** Revokes all links of an administrator who may no longer make any. The audit trail names those
 *  that a list shows; there may be more. A link that is being made at this moment stays, and
 *  `settleLink` refuses it. */
export async function revokeLinkRecordsBy(deps: LinkRecordsDeps, actor: Actor, { id }: AdminRecord): Promise<void> {
  await revokeLinkRecords(deps, actor, (link) => link.createdById === id);
  await deps.adminLinks.removeAdminLinksBy(id);
}

export async function revokeLinkRecords(deps: LinkRecordsDeps, actor: Actor, isConcerned: IsConcerned): Promise<void> {
  // A list has at most a hundred links, so more may follow after those that were removed.
  for (;;) {
    const concerned = (await deps.adminLinks.listAdminLinks(deps.clock.now())).filter(isConcerned);
    if (concerned.length === 0) return;
    for (const link of concerned) {
      if (await deps.adminLinks.removeAdminLink(link.id))
        await recordLinkEvent(deps, actor, { action: 'link.revoked', link });
    }
  }
}

/** Returns a stored link without tenants that are gone; null when the link is no longer valid. */
export type SettleLink = (link: AdminLinkRecord) => Promise<AdminLinkRecord | null>;

/** A link ends when its maker is no longer an owner, a set-up link with the first owner, a
 *  reset link with its administrator, and an invitation with the last of its tenants. */
export function createLinkRecordSettler(deps: Pick<Store, 'admins' | 'tenants'>): SettleLink {
  const { admins, tenants } = deps;

  async function settleInvitation(link: AdminLinkRecord): Promise<AdminLinkRecord | null> {
    if (link.tenants === null) return link;
    const living = await findTenantsOfAdmin(tenants, link.tenants);
    return living.length === 0 ? null : { ...link, tenants: living };
  }

  return async (link) => {
    if (link.createdById !== null && (await admins.findAdmin(link.createdById))?.role !== 'owner') return null;
    if (link.kind === 'invitation') return settleInvitation(link);
    const isOpen =
      link.kind === 'setup'
        ? (await admins.countAdmins('owner')) === 0
        : (await admins.findAdmin(link.adminId ?? '')) !== null;
    return isOpen ? link : null;
  };
}
