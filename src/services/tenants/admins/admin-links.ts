import { randomUUID } from 'node:crypto';
import type { Actor, AdminRole, TenantScope } from '#domain/admin';
import { cleanName } from '#domain/text';
import { AppError } from '#errors';
import type { AdminLinkRecord, AdminRecord } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import * as records from './admin-records.ts';
import { type LinkRecordsDeps, recordLinkEvent, revokeResetLinks, settleLink } from './link-records.ts';
import type { OidcAccountsDeps } from './oidc-accounts.ts';
import type { Passwords } from './passwords.ts';

export interface OneTimeLink {
  /** Path on the host, with the token: `/admin/link/…`. */
  readonly path: string;
  readonly expiresAt: Date;
}

type NewLink = Pick<AdminLinkRecord, 'kind' | 'adminId' | 'role' | 'tenants'>;
const HOUR_MS = 3_600_000;
const LIFETIME_MS = { setup: 24 * HOUR_MS, invitation: 7 * 24 * HOUR_MS, reset: 24 * HOUR_MS } as const;

export interface AdminLinksDeps extends OidcAccountsDeps {
  readonly passwords: Passwords;
}

/** One-time links for set-up, invitation and reset. The store has only the hash of a token. */
export function createAdminLinks(deps: AdminLinksDeps) {
  const links = { createSetupLink, createInvitation, createResetLink, findLink, useLink, listLinks, revokeLink };
  return bindState(deps, links);
}

export type AdminLinks = ReturnType<typeof createAdminLinks>;

async function createAdminLink(deps: LinkRecordsDeps, actor: Actor, values: NewLink): Promise<OneTimeLink> {
  const { token, id } = records.makeAdminToken();
  const createdAt = deps.clock.now();
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS[values.kind]);
  const link = { ...values, id, createdBy: actor.name, createdById: actor.id, createdAt, expiresAt };
  await deps.adminLinks.addAdminLink(link);
  await recordLinkEvent(deps, actor, { action: 'link.created', link });
  return { path: `/admin/link/${token}`, expiresAt };
}

/** Creates a link that is valid for 24 hours. Returns null when there is an owner already. */
async function createSetupLink(deps: LinkRecordsDeps, actor: Actor): Promise<OneTimeLink | null> {
  if ((await deps.admins.countAdmins('owner')) > 0) return null;
  return createAdminLink(deps, actor, { kind: 'setup', adminId: null, role: 'owner', tenants: null });
}

/** Creates a link that is valid for 7 days. Errors: FORM_INVALID for the tenants. */
async function createInvitation(
  deps: AdminLinksDeps,
  actor: Actor,
  { role, tenants }: { readonly role: AdminRole; readonly tenants: TenantScope },
): Promise<OneTimeLink> {
  const scope = await records.checkLivingScope(deps.tenants, role, tenants);
  return createAdminLink(deps, actor, { kind: 'invitation', adminId: null, role, tenants: scope });
}

/** Creates a link that is valid for 24 hours. Errors: ADMIN_UNKNOWN; ROLE_FROM_CLAIM, except for a
 *  command, which helps owners whose provider does not answer. */
async function createResetLink(deps: AdminLinksDeps, actor: Actor, adminId: string): Promise<OneTimeLink> {
  const record = await records.getAdminRecord(deps.admins, adminId);
  if (actor.kind === 'admin') records.refuseAdminRoleFromClaim(deps.roleMapping, record);
  const { role, tenants } = record;
  return createAdminLink(deps, actor, { kind: 'reset', adminId, role, tenants });
}

/** Returns a link without consuming it; null when it is not valid, as `settleLink` says. */
async function findLink(deps: AdminLinksDeps, token: string): Promise<AdminLinkRecord | null> {
  const id = records.findAdminTokenId(token);
  const link = id === null ? null : await deps.adminLinks.findAdminLink(id, deps.clock.now());
  return link && settleLink(deps, link);
}

async function listLinks(deps: AdminLinksDeps): Promise<readonly AdminLinkRecord[]> {
  const links = await deps.adminLinks.listAdminLinks(deps.clock.now());
  return (await Promise.all(links.map((link) => settleLink(deps, link)))).filter((link) => link !== null);
}

/** Errors: LINK_INVALID. */
async function revokeLink(deps: LinkRecordsDeps, actor: Actor, linkId: string): Promise<void> {
  const link = await deps.adminLinks.findAdminLink(linkId, deps.clock.now());
  if (link === null || !(await deps.adminLinks.removeAdminLink(linkId))) throw createUnusableAdminLink();
  await recordLinkEvent(deps, actor, { action: 'link.revoked', link });
}

/** How the holder of a link will sign in. */
export type Credentials =
  | { readonly kind: 'password'; readonly name: string; readonly password: string }
  | { readonly kind: 'oidc'; readonly name: string; readonly subject: string };

/** Uses a link once its holder has chosen how to sign in. All checks run before the link is
 *  consumed, so that a bad password does not consume it, and again right before. A reset keeps the
 *  name and ends all sessions; an OpenID Connect account then removes the password, a password
 *  keeps the account and the role, which no claim changes then. A consumed link is never restored,
 *  as an owner may have revoked it meanwhile.
 *  Errors: LINK_INVALID; FORM_INVALID with problems of `name` and `password`; ADMIN_NAME_TAKEN
 *  (`data.taken` is `name` or `account`); RATE_LIMITED while too many passwords are checked. */
async function useLink(deps: AdminLinksDeps, token: string, credentials: Credentials, address: string | null) {
  const { audit } = deps;
  const link = (await findLink(deps, token)) ?? throwUnusableAdminLink();
  if (link.kind !== 'reset') {
    const record = await join(deps, link, credentials);
    await audit.record(records.toAdminActor(record, address), records.makeAdminJoinEvent(record));
    return records.toAdminView(record);
  }
  const record = await resetCredentials(deps, link, credentials);
  const actor = records.toAdminActor(record, address);
  await revokeResetLinks(deps, actor, record);
  const details = { by: 'link' };
  await audit.record(actor, { action: 'admin.password-changed', tenantId: null, target: record.name, details });
  return records.toAdminView(record);
}

async function join(deps: AdminLinksDeps, link: AdminLinkRecord, credentials: Credentials): Promise<AdminRecord> {
  const { admins, clock } = deps;
  const name = cleanName(credentials.name);
  const checkIsFree = async () => {
    if ((await admins.findAdminByName(name)) !== null) throw createTakenError('name');
    await checkAccountIsFree(deps, credentials, null);
  };
  await checkPassword(deps, credentials, name);
  await checkIsFree();
  const proof = { oidcSubject: null, ...(await makeProof(deps, credentials)) };
  await checkIsFree();
  const { kind, role, tenants } = await consumeLink(deps, link);
  const id = kind === 'setup' ? records.FIRST_ADMIN_ID : randomUUID();
  const record = records.makeAdmin({ ...proof, id, name, role, tenants }, clock.now());
  // Another call may have taken the name, the account or the set-up at the same moment.
  return (await admins.addAdmin(record)) ? record : throwUnusableAdminLink();
}

async function resetCredentials(deps: AdminLinksDeps, link: AdminLinkRecord, credentials: Credentials) {
  const { admins, adminSessions, clock } = deps;
  const { id, name } = (await admins.findAdmin(link.adminId ?? '')) ?? throwUnusableAdminLink();
  await checkPassword(deps, credentials, name);
  await checkAccountIsFree(deps, credentials, id);
  const proof = await makeProof(deps, credentials);
  await checkAccountIsFree(deps, credentials, id);
  await consumeLink(deps, link);
  const now = clock.now();
  // Whoever may run commands here helps a person who has lost the app and the recovery codes.
  const factor = link.createdById === null ? { secondFactor: null } : {};
  // Nobody reads the claim of those who sign in with a password.
  const source = proof.passwordHash === null ? {} : { roleClaim: null };
  const record = await records.updateAdmin(admins, id, (latest) =>
    records.endAdminSessionsAt({ ...latest, ...proof, ...factor, ...source }, now),
  );
  await adminSessions.removeAdminSessions(id, null);
  return record ?? throwUnusableAdminLink();
}

/** Errors: FORM_INVALID. */
async function checkPassword({ passwords }: AdminLinksDeps, credentials: Credentials, name: string): Promise<void> {
  const nameProblems = records.findAdminNameProblems(name);
  const passwordProblems =
    credentials.kind === 'password' ? await passwords.findProblems(credentials.password, name) : [];
  records.checkAdminProblems([...nameProblems, ...passwordProblems]);
}

/** Errors: ADMIN_NAME_TAKEN if the account is that of another administrator than `holderId`. */
async function checkAccountIsFree({ admins }: AdminLinksDeps, credentials: Credentials, holderId: string | null) {
  if (credentials.kind !== 'oidc') return;
  const holder = await admins.findAdminByOidcSubject(credentials.subject);
  if (holder !== null && holder.id !== holderId) throw createTakenError('account');
}

async function makeProof({ passwords }: AdminLinksDeps, credentials: Credentials) {
  if (credentials.kind === 'oidc') return { passwordHash: null, oidcSubject: credentials.subject };
  return { passwordHash: await passwords.hashPassword(credentials.password) };
}

/** Removes a link and returns its latest state, as tenants, makers and administrators may have gone
 *  during the hashing. Only one of two calls gets it. Errors: LINK_INVALID. */
async function consumeLink(deps: AdminLinksDeps, { id }: AdminLinkRecord): Promise<AdminLinkRecord> {
  const consumed = await deps.adminLinks.consumeAdminLink(id, deps.clock.now());
  return (consumed && (await settleLink(deps, consumed))) ?? throwUnusableAdminLink();
}

export function createUnusableAdminLink(): AppError {
  const message =
    'This link was used already, has expired, or was taken back. Ask whoever gave it to you for a new one.';
  return new AppError('LINK_INVALID', message);
}

function throwUnusableAdminLink(): never {
  throw createUnusableAdminLink();
}

function createTakenError(taken: 'name' | 'account'): AppError {
  const problem =
    taken === 'name'
      ? 'Somebody else has this name. Choose another one.'
      : 'This account belongs to an administrator already. Sign in with it, or use another one.';
  return new AppError('ADMIN_NAME_TAKEN', problem, { problems: [{ path: 'name', problem }], data: { taken } });
}
