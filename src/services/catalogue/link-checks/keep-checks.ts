import { createHash } from 'node:crypto';
import type { Clock } from '#ports/clock';
import type { LinkCheck, LinkCheckRepository } from '#ports/store/store';

export interface KeepChecksDeps {
  readonly linkChecks: Pick<LinkCheckRepository, 'saveLinkChecks'>;
  readonly clock: Clock;
}

export interface KeptChecks {
  /** @param before what was known of the address */
  add(check: LinkCheck, before: LinkCheck | undefined): Promise<void>;
  /** When it resolves, everything added is in the store. */
  save(): Promise<void>;
}

/** Visits after which what was seen is in the store. */
const SAVE_EVERY = 50;

/** The index is rebuilt whenever the set of dead addresses changes. */
const DEAD_EVERY_MS = 600_000;

/** As many as the store takes at once. */
const BATCH = 1_000;

/** Writes what was seen to the store in batches. Results that change which addresses are dead wait longer, and are written
 *  together; if the process is killed before, these addresses are due again. */
export function keepChecks({ linkChecks, clock }: KeepChecksDeps): KeptChecks {
  const unsaved: LinkCheck[] = [];
  const turned: LinkCheck[] = [];
  const nowMs = () => clock.now().getTime();
  let turnedMs = nowMs();

  async function write(checks: LinkCheck[]): Promise<void> {
    while (checks.length > 0) await linkChecks.saveLinkChecks(checks.splice(0, BATCH));
  }

  async function save(): Promise<void> {
    turnedMs = nowMs();
    await write(unsaved);
    await write(turned);
  }

  return {
    save,
    async add(check, before) {
      const isTurned = (check.state === 'dead') !== (before?.state === 'dead');
      (isTurned ? turned : unsaved).push(check);
      if (nowMs() - turnedMs >= DEAD_EVERY_MS) await save();
      else if (unsaved.length >= SAVE_EVERY) await write(unsaved);
    },
  };
}

export async function removeUnseenChecks(linkChecks: LinkCheckRepository, seen: Seen): Promise<number> {
  let removed = 0;
  for (const state of ['alive', 'dead', 'unsure'] as const) {
    for (let after: string | null = null; ; ) {
      const checks: readonly LinkCheck[] = await linkChecks.readLinkChecks({ state, after, limit: BATCH });
      const last = checks.at(-1);
      if (last === undefined) break;
      after = last.url;
      const others = checks.map(({ url }) => url).filter((url) => !seen.has(url));
      if (others.length > 0) removed += await linkChecks.removeLinkChecks(others);
    }
  }
  return removed;
}

export interface Seen {
  /** False where it was there before. */
  add(url: string): boolean;
  has(url: string): boolean;
}

/** Keeps a number for each address instead of the address, so that millions fit. If two were alike, which is most unlikely, one
 *  of them would wait for another day. */
export function createSeenLinks(): Seen {
  const numbers = new Set<number>();
  const numberOf = (url: string) => createHash('sha256').update(url).digest().readUIntBE(0, 6);
  return {
    add(url) {
      const before = numbers.size;
      return numbers.add(numberOf(url)).size > before;
    },
    has: (url) => numbers.has(numberOf(url)),
  };
}
