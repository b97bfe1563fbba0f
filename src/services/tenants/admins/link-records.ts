import type { Actor } from '#domain/admin';
import type { Clock } from '#ports/clock';
import type {
  AdminLinkRecord,
  AdminLinkRepository,
  AdminRecord,
  AdminRepository,
  TenantRepository,
} from '#ports/store/store';
import type { Audit, AuditAction } from '../audit.ts';
import { describeAdminScope, findTenantsOfAdmin } from './admin-records.ts';

export interface LinkRecordsDeps {
  readonly admins: AdminRepository;
  readonly adminLinks: AdminLinkRepository;
  readonly audit: Audit;
  readonly clock: Clock;
}

export type IsConcerned = (link: AdminLinkRecord) => boolean;

/** Links for choosing a password; they end once it is chosen. */
export const isFor =
  ({ id }: AdminRecord): IsConcerned =>
  (link) =>
    link.adminId === id;

/** Says in the audit trail what became of a link: never its id, which is what the store knows its token by. */
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

/** Revokes the links of somebody who may no longer make any. The audit trail names those that a list shows; there may be more. A
 *  link that is being made at this moment stays, and `settleLink` refuses it. */
export async function revokeLinkRecordsBy(
  deps: LinkRecordsDeps,
  actor: Actor,
  { id }: AdminRecord,
): Promise<void> {
  await revokeLinkRecords(deps, actor, (link) => link.createdById === id);
  await deps.adminLinks.removeAdminLinksBy(id);
}

/** Revokes the links of one kind, as far as lists show them. */
export async function revokeLinkRecords(
  deps: LinkRecordsDeps,
  actor: Actor,
  isConcerned: IsConcerned,
): Promise<void> {
  // A list has at most a hundred links; there may be more behind those taken away.
  for (;;) {
    const concerned = (await deps.adminLinks.listAdminLinks(deps.clock.now())).filter(isConcerned);
    if (concerned.length === 0) return;
    for (const link of concerned) {
      if (await deps.adminLinks.removeAdminLink(link.id))
        await recordLinkEvent(deps, actor, { action: 'link.revoked', link });
    }
  }
}

interface LinkSettlingDeps {
  readonly admins: AdminRepository;
  readonly tenants: TenantRepository;
}

/** A stored link as it holds now: without tenants that are gone. Null when it is no longer valid. */
export type SettleLink = (link: AdminLinkRecord) => Promise<AdminLinkRecord | null>;

/** A link ends when its maker is no longer an owner, even one that was stored just after the maker's links were revoked. Set-up
 *  links end with the first administrator, reset links with theirs, invitations with the last of their tenants. */
export function createLinkSettler({ admins, tenants }: LinkSettlingDeps): SettleLink {
  async function isMakerGone({ createdById }: AdminLinkRecord): Promise<boolean> {
    return createdById !== null && (await admins.findAdmin(createdById))?.role !== 'owner';
  }

  async function settleInvitation(link: AdminLinkRecord): Promise<AdminLinkRecord | null> {
    if (link.tenants === null) return link;
    const living = await findTenantsOfAdmin(tenants, link.tenants);
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
