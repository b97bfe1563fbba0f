import type { Clock } from '../../ports/clock.ts';
import type { LtiRegistrationRepository } from '../../ports/store/store.ts';

type PublicKey = Readonly<Record<string, string>>;

export interface PublicKeys {
  list(): Promise<readonly PublicKey[]>;
  /** After a change of this host. */
  forget(): void;
}

/** Anyone may ask for the keys, and as often as they like: the store is asked once in this time. */
const REMEMBERED_MS = 60_000;

export function createPublicKeys(
  registrations: Pick<LtiRegistrationRepository, 'listPublicKeys'>,
  clock: Clock,
): PublicKeys {
  let remembered: { readonly keys: Promise<readonly PublicKey[]>; readonly untilMs: number } | null = null;

  async function read(): Promise<readonly PublicKey[]> {
    return (await registrations.listPublicKeys()).map(({ publicKey }) => publicKey);
  }

  return {
    async list() {
      const nowMs = clock.now().getTime();
      if (remembered === null || remembered.untilMs <= nowMs)
        remembered = { keys: read(), untilMs: nowMs + REMEMBERED_MS };
      const { keys } = remembered;
      try {
        return await keys;
      } catch (error) {
        if (remembered?.keys === keys) remembered = null;
        throw error;
      }
    },
    forget() {
      remembered = null;
    },
  };
}
