import { createHash } from 'node:crypto';
import { cleanName, foldText } from '../../domain/text.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AdminRecord, AdminRepository, RateCounterRepository } from '../../ports/store/store.ts';
import { createRateLimiter } from '../rate-limits.ts';
import { updateAdmin } from './admin-records.ts';
import type { Passwords } from './passwords.ts';
import { type Counted, countFailure, findNetwork } from './throttle.ts';

export interface PasswordProofDeps {
  readonly admins: AdminRepository;
  readonly rateCounters: RateCounterRepository;
  readonly passwords: Passwords;
  readonly clock: Clock;
}

/** Whose name and password these are, as it was when they were compared; null when they do not belong together.
 *  Errors: RATE_LIMITED. */
export type ProvePassword = (
  name: string,
  password: string,
  address: string | null,
) => Promise<AdminRecord | null>;

const ADDRESS_LIMIT = { name: 'sign-in-address', points: 30, windowSeconds: 900 };
const NAME_LIMIT = { name: 'sign-in-name', points: 10, windowSeconds: 900 };

/** Failures are counted by address and by name, known or not, on all hosts together. Whoever keeps a name refused keeps its
 *  owner from the password only: links and OpenID Connect are not counted by name. */
export function createPasswordProof({
  admins,
  rateCounters,
  passwords,
  clock,
}: PasswordProofDeps): ProvePassword {
  const byAddress = createRateLimiter(rateCounters, clock, ADDRESS_LIMIT);
  const byName = createRateLimiter(rateCounters, clock, NAME_LIMIT);

  /** Where there is nobody, as much is computed. */
  async function prove(name: string, password: string): Promise<AdminRecord | null> {
    const record = await admins.findAdminByName(name);
    const isRight = await passwords.verifyPassword(record?.passwordHash ?? null, password);
    return isRight ? record : null;
  }

  /** Costs grow over the years, and only here the password is known. One that was changed meanwhile stays. */
  async function renewHash({ id, passwordHash: old }: AdminRecord, password: string): Promise<void> {
    if (old === null || !passwords.isOutdated(old)) return;
    const passwordHash = await passwords.hashPassword(password);
    await updateAdmin(admins, id, (latest) =>
      latest.passwordHash === old ? { ...latest, passwordHash } : latest,
    );
  }

  return async (name, password, address) => {
    const cleaned = cleanName(name);
    const counted: readonly Counted[] = [
      { limiter: byAddress, key: findNetwork(address) },
      { limiter: byName, key: hashName(cleaned) },
    ];
    const record = await countFailure(clock, counted, () => prove(cleaned, password));
    if (record !== null) await renewHash(record, password);
    return record;
  };
}

/** As the store compares names. Hashed, because people type passwords into the wrong field. */
function hashName(name: string): string {
  return createHash('sha256').update(foldText(name)).digest('hex');
}
