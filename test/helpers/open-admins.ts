import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Actor, AdminRole, RoleMapping, TenantScope } from '../../src/domain/admin.ts';
import type { AuditEntry, Store } from '../../src/ports/store/store.ts';
import { createKeyring } from '../../src/services/host/keyring.ts';
import { createSecrets } from '../../src/services/host/secrets.ts';
import type { Credentials } from '../../src/services/tenants/admins/admin-links.ts';
import { type AdminLinks, createAdminLinks } from '../../src/services/tenants/admins/admin-links.ts';
import type { AdminView } from '../../src/services/tenants/admins/admin-records.ts';
import { type AdminSessions, createAdminSessions } from '../../src/services/tenants/admins/admin-sessions.ts';
import { type Admins, createAdmins } from '../../src/services/tenants/admins/admins.ts';
import type { Passwords } from '../../src/services/tenants/admins/passwords.ts';
import { createSecondFactors, type SecondFactors } from '../../src/services/tenants/admins/second-factor.ts';
import { type AuditAction, createAudit } from '../../src/services/tenants/audit.ts';
import { tenant } from '../contract/store/records.ts';
import { createCheapPasswords } from './cheap-passwords.ts';
import { makeTempDir } from './temp-dir.ts';
import { openTestStore } from './test-store.ts';

export interface OpenAdmins {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly admins: Admins;
  readonly links: AdminLinks;
  readonly sessions: AdminSessions;
  readonly secondFactors: SecondFactors;
  /** Moves the clock, which stands still otherwise. */
  pass(ms: number): void;
  now(): Date;
  /** What the audit trail has of these actions; in the clock's one instant they have no order. */
  readAudit(...actions: AuditAction[]): Promise<readonly AuditEntry[]>;
}

export const command: Actor = { kind: 'command', id: null, name: 'root', address: null };

export const goodPassword = 'umbrella violin tractor';

export interface OpenOptions {
  /** Wraps what a service gets, to watch it or to come between. */
  readonly wrapPasswords?: (passwords: Passwords) => Passwords;
  readonly wrapStore?: (store: Store) => Store;
  readonly roleMapping?: RoleMapping;
}

/** The services of the admin page's people on a real store of their own, which has the tenants `a`,
 *  `b` and `z`. */
export function openAdmins({ wrapPasswords, wrapStore, roleMapping }: OpenOptions = {}): OpenAdmins {
  const real = openTestStore(join(makeTempDir(), 'skilldock.db'));
  onTestFinished(() => real.close());
  // Done when the call returns: this store waits for nothing.
  for (const id of ['a', 'b', 'z']) void real.tenants.addTenant(tenant(id));
  const store = wrapStore?.(real) ?? real;
  let now = new Date('2026-03-01T10:00:00Z');
  const clock = { now: () => now };
  const plain = createCheapPasswords();
  const passwords = wrapPasswords?.(plain) ?? plain;
  const audit = createAudit({ audit: store.audit, clock });
  const keyring = createKeyring(['a secret of the tests, long enough']);
  const totpSecrets = createSecrets({ secrets: store.secrets, keyring, clock });
  const deps = { ...store, passwords, audit, keyring, totpSecrets, roleMapping, clock };
  return {
    store,
    passwords,
    admins: createAdmins(deps),
    links: createAdminLinks(deps),
    sessions: createAdminSessions(deps),
    secondFactors: createSecondFactors(deps),
    pass(ms) {
      now = new Date(now.getTime() + ms);
    },
    now: clock.now,
    async readAudit(...actions) {
      const filter = { scope: null, action: null, period: { from: null, until: null }, search: '' };
      const entries = await store.audit.readAuditEntries(filter, null, 1000);
      return entries.filter(({ action }) => actions.includes(action as AuditAction));
    },
  };
}

/** The token in a link. */
export const tokenOf = ({ path }: { path: string }): string => path.slice('/admin/link/'.length);

/** An owner `Ada Lovelace` with `goodPassword`. */
export async function addAda(opened: OpenAdmins): Promise<string> {
  return (await addAdmin(opened, 'Ada Lovelace')).id;
}

/** Somebody new with `goodPassword`; the first is set up as an owner, whatever is wanted. */
export async function addAdmin(
  opened: OpenAdmins,
  name: string,
  { role, tenants }: { role: AdminRole; tenants: TenantScope } = { role: 'owner', tenants: null },
): Promise<AdminView> {
  const { links } = opened;
  const link = (await links.createSetupLink(command)) ?? (await links.createInvitation(command, { role, tenants }));
  return links.useLink(tokenOf(link), byPassword(name), null);
}

/** Changes what was looked at just now. */
export async function changeAdmin(
  { admins }: OpenAdmins,
  id: string,
  wanted: { role: AdminRole; tenants: TenantScope },
): Promise<void> {
  const { version } = (await admins.findAdmin(id))!;
  return admins.changeAdmin(command, id, { version, ...wanted });
}

/** Someone on the admin page. */
export const actorOf = ({ id, name }: AdminView): Actor => ({
  kind: 'admin',
  id,
  name,
  address: '192.0.2.7',
});

/** `done`, or the code of the error. */
export const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

export const byPassword = (name: string, password = goodPassword): Credentials => ({
  kind: 'password',
  name,
  password,
});

export const byOidc = (name: string, subject = 'https://id.example 1234'): Credentials => ({
  kind: 'oidc',
  name,
  subject,
});
