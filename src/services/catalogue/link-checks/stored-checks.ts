import { createHash } from 'node:crypto';
import type { Clock } from '#ports/clock';
import type { LinkCheck, LinkCheckRepository } from '#ports/store/store';
import { readEveryLinkCheck } from '#services/host/every-item';

export interface CheckWriterDeps {
  readonly linkChecks: Pick<LinkCheckRepository, 'saveLinkChecks'>;
  readonly clock: Clock;
}

export type CheckWriter = ReturnType<typeof createCheckWriter>;

const SAVE_EVERY = 50;
/** The index is rebuilt whenever the set of dead addresses changes. */
const SAVE_DEAD_EVERY_MS = 600_000;
/** As many as the store takes at once. */
const MAX_SAVED_AT_ONCE = 1_000;

/** Writes checks in batches. Changes of the set of dead addresses wait longer and are written
 *  together; if the process is killed before, these addresses are due again. */
export function createCheckWriter({ linkChecks, clock }: CheckWriterDeps) {
  const others: LinkCheck[] = [];
  const changingDead: LinkCheck[] = [];
  const nowMs = () => clock.now().getTime();
  let savedAtMs = nowMs();

  async function write(checks: LinkCheck[]): Promise<void> {
    while (checks.length > 0) await linkChecks.saveLinkChecks(checks.splice(0, MAX_SAVED_AT_ONCE));
  }

  async function save(): Promise<void> {
    savedAtMs = nowMs();
    await write(others);
    await write(changingDead);
  }

  return {
    /** When it resolves, everything added is in the store. */
    save,
    async add(check: LinkCheck, before: LinkCheck | undefined): Promise<void> {
      const changesDead = (check.state === 'dead') !== (before?.state === 'dead');
      (changesDead ? changingDead : others).push(check);
      if (nowMs() - savedAtMs >= SAVE_DEAD_EVERY_MS) await save();
      else if (others.length >= SAVE_EVERY) await write(others);
    },
  };
}

export type SeenLinks = ReturnType<typeof createSeenLinks>;

/** A number for each address, so that millions fit. Of two equal ones, which is most unlikely, one
 *  waits for another day. */
export function createSeenLinks() {
  const numbers = new Set<number>();
  const numberOf = (url: string) => createHash('sha256').update(url).digest().readUIntBE(0, 6);
  return {
    /** False where the address was added before. */
    add(url: string): boolean {
      const before = numbers.size;
      return numbers.add(numberOf(url)).size > before;
    },
    has: (url: string) => numbers.has(numberOf(url)),
  };
}

/** @returns how many checks were removed */
export async function removeUnseenChecks(linkChecks: LinkCheckRepository, seen: SeenLinks): Promise<number> {
  let removed = 0;
  for (const state of ['alive', 'dead', 'unsure'] as const)
    for await (const checks of readEveryLinkCheck(linkChecks, state)) {
      const unseen = checks.map(({ url }) => url).filter((url) => !seen.has(url));
      if (unseen.length > 0) removed += await linkChecks.removeLinkChecks(unseen);
    }
  return removed;
}
