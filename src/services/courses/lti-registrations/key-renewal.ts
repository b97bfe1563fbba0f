import type { Actor } from '#domain/admin';
import { AppError } from '#errors';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { readEveryItem } from '#services/host/every-item';
import { describeChangeForAudit } from '#services/tenants/audit';
import {
  type LtiRegistrationsDeps,
  nameRegistrationKeySecret,
  recordRegistration,
} from './registration-records.ts';
import type { SigningKey } from './signing-keys.ts';

/** Gives each registration whose signing key cannot be read a new one. Platforms fetch it when they first meet something that is
 *  signed with it. @returns how many got one */
export type RenewUnreadableKeys = (actor: Actor) => Promise<number>;

/** @param signingKeyOf rejects with SECRET_UNREADABLE for those that cannot be read */
export function createKeyRenewal(
  { registrations, secrets, audit, clock, makeKeyPair }: LtiRegistrationsDeps,
  signingKeyOf: (registration: LtiRegistrationRecord) => Promise<SigningKey>,
): RenewUnreadableKeys {
  async function canSign(registration: LtiRegistrationRecord): Promise<boolean> {
    try {
      await signingKeyOf(registration);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'SECRET_UNREADABLE') return false;
      throw error;
    }
  }

  /** @returns false where the registration was changed or removed meanwhile */
  async function renew(actor: Actor, before: LtiRegistrationRecord): Promise<boolean> {
    const { privateKey, ...key } = await makeKeyPair();
    const { id, tenantId, keyId, version } = before;
    await secrets.putSecret(tenantId, nameRegistrationKeySecret(id), {
      plain: privateKey,
      boundTo: key.keyId,
    });
    const registration = { ...before, ...key, updatedAt: clock.now(), version: version + 1 };
    if (!(await registrations.replaceRegistration(registration))) return false;
    const details = describeChangeForAudit(
      { registration: { keyId } },
      { registration: { keyId: key.keyId } },
    );
    await recordRegistration(audit, actor, { action: 'registration.changed', registration, details });
    return true;
  }

  /** Until it has a key that can sign, or is gone. */
  async function renewUntilDone(actor: Actor, listed: LtiRegistrationRecord): Promise<boolean> {
    for (let registration: LtiRegistrationRecord | null = listed; registration !== null; ) {
      if (await canSign(registration)) return false;
      if (await renew(actor, registration)) return true;
      registration = await registrations.findRegistration(listed.id);
    }
    await secrets.removeSecret(listed.tenantId, nameRegistrationKeySecret(listed.id));
    return false;
  }

  return async (actor) => {
    const all = { scope: null, search: '', sort: 'createdAt', descending: false } as const;
    let renewed = 0;
    for await (const registration of readEveryItem((page) =>
      registrations.listRegistrations({ ...all, ...page }),
    ))
      if (await renewUntilDone(actor, registration)) renewed++;
    return renewed;
  };
}
