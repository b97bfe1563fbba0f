import type { ImportRecord } from '#ports/store/store';
import { changeImport, LEASE_MS, type RecordDeps } from './import-records.ts';

/** The record of a running import, which only its process changes as long as it renews the lease in time. */
export interface Lease {
  /** As it was last saved. */
  readonly record: ImportRecord;
  /** Saves the changes and renews the lease. @throws LeaseLost where it is not this process's any more. */
  save(changes: Partial<ImportRecord>): Promise<ImportRecord>;
  /** @throws LeaseLost before a write that would come too late */
  assertHeld(): void;
  /** Aborted as soon as it is known to be lost. */
  readonly lost: AbortSignal;
  /** Stops renewing, and waits for saves under way. */
  release(): Promise<void>;
}

const RENEW_MS = 4_000;

/** Ends the work of a process whose import was stopped or taken over by another one. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Saves run one after another, as each needs the version of the one before. */
export function holdLease(deps: RecordDeps, begun: ImportRecord, onProblem: (error: unknown) => void): Lease {
  let record = begun;
  let last: Promise<unknown> = Promise.resolve();
  const lost = new AbortController();
  const nowMs = () => deps.clock.now().getTime();

  async function saveNext(changes: Partial<ImportRecord>): Promise<ImportRecord> {
    if (lost.signal.aborted) throw new LeaseLost();
    const aliveUntil = new Date(nowMs() + LEASE_MS);
    const saved = await changeImport(deps.imports, record, { aliveUntil, ...changes });
    if (saved === null) {
      lost.abort(new LeaseLost());
      throw new LeaseLost();
    }
    record = saved;
    return saved;
  }

  function save(changes: Partial<ImportRecord>): Promise<ImportRecord> {
    const saving = last.then(() => saveNext(changes));
    last = saving.catch(() => undefined);
    return saving;
  }

  // The next save meets the same error.
  const timer = setInterval(() => {
    save({}).catch((error) => (error instanceof LeaseLost ? undefined : onProblem(error)));
  }, RENEW_MS);
  timer.unref();

  return {
    get record() {
      return record;
    },
    save,
    assertHeld() {
      if (lost.signal.aborted || record.aliveUntil.getTime() <= nowMs()) throw new LeaseLost();
    },
    lost: lost.signal,
    async release() {
      clearInterval(timer);
      await last;
    },
  };
}
