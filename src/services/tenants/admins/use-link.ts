import { randomUUID } from 'node:crypto';
import { cleanName } from '#domain/text';
import { AppError } from '#errors';
import type { AdminLinkRecord, AdminRecord, AdminSessionRepository } from '#ports/store/store';
import {
  endAdminSessionsAt,
  FIRST_ADMIN_ID,
  makeAdmin,
  type ShownAdmin,
  showAdminRecord,
  toAdminActor,
  updateAdmin,
} from './admin-records.ts';
import { findAdminNameProblems, makeAdminJoinEvent, refuseAdminProblems } from './admin-rules.ts';
import { isFor, type LinkRecordsDeps, revokeLinkRecords, type SettleLink } from './link-records.ts';
import type { Passwords } from './passwords.ts';

/** How a link's holder will sign in. */
export type Credentials =
  | { readonly kind: 'password'; readonly name: string; readonly password: string }
  | { readonly kind: 'oidc'; readonly name: string; readonly subject: string };

export interface LinkUseDeps extends LinkRecordsDeps {
  readonly adminSessions: AdminSessionRepository;
  readonly passwords: Passwords;
}

type Proof = Pick<AdminRecord, 'passwordHash'> & Partial<Pick<AdminRecord, 'oidcSubject'>>;

interface LinkLookup {
  findLink(token: string): Promise<AdminLinkRecord | null>;
  readonly settleLink: SettleLink;
}

/** Name and password are checked first, so that a link outlives a bad password. Its holder gets what it gives at the moment
 *  it is used up. A reset keeps the name and ends all sessions; with an OpenID Connect account it takes the password away,
 *  with a password it leaves the account.
 *  Errors: LINK_INVALID, FORM_INVALID with problems of `name` and `password`, ADMIN_NAME_TAKEN (`data.taken` is `name`
 *  or `account`), RATE_LIMITED when very many passwords are being checked. */
export type UseLink = (
  token: string,
  credentials: Credentials,
  address: string | null,
) => Promise<ShownAdmin>;

/** What a link is for, after its holder has chosen how to sign in. Whatever can be refused is refused before the link is
 *  consumed, and checked once more right before. A consumed link is never put back, because an owner may have revoked it
 *  meanwhile: if the name or account is taken in that instant, or the store fails, the holder has to ask for another link. */
export function createLinkUse(deps: LinkUseDeps, { findLink, settleLink }: LinkLookup): UseLink {
  const { admins, adminLinks, adminSessions, passwords, audit, clock } = deps;

  async function refusePassword(credentials: Credentials, name: string): Promise<void> {
    const nameProblems = findAdminNameProblems(name);
    const passwordProblems =
      credentials.kind === 'password' ? await passwords.findProblems(credentials.password, name) : [];
    refuseAdminProblems([...nameProblems, ...passwordProblems]);
  }

  async function refuseTakenAccount(credentials: Credentials, ownId: string | null): Promise<void> {
    if (credentials.kind !== 'oidc') return;
    const holder = await admins.findAdminByOidcSubject(credentials.subject);
    if (holder !== null && holder.id !== ownId) throw taken('account');
  }

  async function makeProof(credentials: Credentials): Promise<Proof> {
    if (credentials.kind === 'oidc') return { passwordHash: null, oidcSubject: credentials.subject };
    return { passwordHash: await passwords.hashPassword(credentials.password) };
  }

  /** The link as it is now: tenants, makers and administrators may have gone while a password was hashed. Only one of two who use
   *  it at once gets it. Errors: LINK_INVALID. */
  async function consume({ id }: AdminLinkRecord): Promise<AdminLinkRecord> {
    const consumed = await adminLinks.consumeAdminLink(id, clock.now());
    return (consumed && (await settleLink(consumed))) ?? refuseLink();
  }

  async function join(link: AdminLinkRecord, credentials: Credentials): Promise<AdminRecord> {
    const name = cleanName(credentials.name);
    const refuse = async () => {
      if ((await admins.findAdminByName(name)) !== null) throw taken('name');
      await refuseTakenAccount(credentials, null);
    };
    await refusePassword(credentials, name);
    await refuse();
    const proof = { oidcSubject: null, ...(await makeProof(credentials)) };
    await refuse();
    const { kind, role, tenants } = await consume(link);
    const id = kind === 'setup' ? FIRST_ADMIN_ID : randomUUID();
    const record = makeAdmin({ ...proof, id, name, role, tenants }, clock.now());
    // False when somebody was quicker by an instant: with the name, the account, or the whole set-up.
    return (await admins.addAdmin(record)) ? record : refuseLink();
  }

  async function reset(link: AdminLinkRecord, credentials: Credentials): Promise<AdminRecord> {
    const { id, name } = (await admins.findAdmin(link.adminId ?? '')) ?? refuseLink();
    await refusePassword(credentials, name);
    await refuseTakenAccount(credentials, id);
    const proof = await makeProof(credentials);
    await refuseTakenAccount(credentials, id);
    await consume(link);
    const now = clock.now();
    const record = await updateAdmin(admins, id, (latest) =>
      endAdminSessionsAt({ ...latest, ...proof }, now),
    );
    await adminSessions.removeAdminSessions(id, null);
    return record ?? refuseLink();
  }

  return async (token, credentials, address): Promise<ShownAdmin> => {
    const link = (await findLink(token)) ?? refuseLink();
    if (link.kind === 'reset') {
      const record = await reset(link, credentials);
      const actor = toAdminActor(record, address);
      await revokeLinkRecords(deps, actor, isFor(record));
      const event = { tenantId: null, target: record.name, details: { by: 'link' } };
      await audit.record(actor, { action: 'admin.password-changed', ...event });
      return showAdminRecord(record);
    }
    const record = await join(link, credentials);
    await audit.record(toAdminActor(record, address), makeAdminJoinEvent(record));
    return showAdminRecord(record);
  };
}

export function createUnusableLinkError(): AppError {
  const message =
    'This link was used already, has expired, or was taken back. Ask whoever gave it to you for a new one.';
  return new AppError('LINK_INVALID', message);
}

function refuseLink(): never {
  throw createUnusableLinkError();
}

function taken(what: 'name' | 'account'): AppError {
  const problem =
    what === 'name'
      ? 'Somebody else has this name. Choose another one.'
      : 'This account belongs to an administrator already. Sign in with it, or use another one.';
  return new AppError('ADMIN_NAME_TAKEN', problem, {
    problems: [{ path: 'name', problem }],
    data: { taken: what },
  });
}
