import type { Actor } from '#domain/admin';
import type { Clock } from '#ports/clock';
import type { AdminLinkRecord, AdminRecord, Store } from '#ports/store/store';
import type { Audit, AuditAction } from '../audit.ts';
import { describeAdminScope, findTenantsOfAdmin } from './admin-records.ts';

export interface LinkRecordsDeps extends Pick<Store, 'admins' | 'adminLinks'> {
  readonly audit: Audit;
  readonly clock: Clock;
}

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

/** Revokes all links that an administrator made who may no longer make any. The audit trail names
 *  those that a list shows; there may be more. `settleLink` refuses one that is being made now. */
export async function revokeLinksBy(deps: LinkRecordsDeps, actor: Actor, { id }: AdminRecord): Promise<void> {
  await revokeLinks(deps, actor, (link) => link.createdById === id);
  await deps.adminLinks.removeAdminLinksBy(id);
}

/** Revokes the links with which an administrator could choose a new password. */
export function revokeResetLinks(deps: LinkRecordsDeps, actor: Actor, { id }: AdminRecord): Promise<void> {
  return revokeLinks(deps, actor, (link) => link.adminId === id);
}

async function revokeLinks(
  deps: LinkRecordsDeps,
  actor: Actor,
  isRevoked: (link: AdminLinkRecord) => boolean,
): Promise<void> {
  // A list has at most a hundred links, so more may follow after those that were removed.
  for (;;) {
    const links = (await deps.adminLinks.listAdminLinks(deps.clock.now())).filter(isRevoked);
    if (links.length === 0) return;
    for (const link of links) {
      if (await deps.adminLinks.removeAdminLink(link.id))
        await recordLinkEvent(deps, actor, { action: 'link.revoked', link });
    }
  }
}

/** Returns a stored link without tenants that are gone; null when it is no longer valid. A link
 *  ends when its maker is no longer an owner, a set-up link with the first owner, a reset link with
 *  its administrator, and an invitation with the last of its tenants. */
export async function settleLink(
  { admins, tenants }: Pick<Store, 'admins' | 'tenants'>,
  link: AdminLinkRecord,
): Promise<AdminLinkRecord | null> {
  if (link.createdById !== null && (await admins.findAdmin(link.createdById))?.role !== 'owner') return null;
  if (link.kind === 'setup') return (await admins.countAdmins('owner')) === 0 ? link : null;
  if (link.kind === 'reset') return (await admins.findAdmin(link.adminId ?? '')) === null ? null : link;
  if (link.tenants === null) return link;
  const living = await findTenantsOfAdmin(tenants, link.tenants);
  return living.length === 0 ? null : { ...link, tenants: living };
}
