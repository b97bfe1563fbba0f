import { systemActor } from '#domain/admin';
import type { ImportRhythm } from '#domain/catalog';
import type { ImportSources } from '#ports/imports';
import type { ImportRecord, NonceRepository } from '#ports/store/store';
import { changeImport, isImportAtWork, type RecordDeps } from './import-records.ts';
import type { RunsOfImports } from './import-runs.ts';
import { findRhythmSetter, saysRhythm } from './rhythm.ts';

/** Imports addresses again that somebody wants imported daily or weekly. Of several hosts on one store, one does so at a time. */
export interface ImportRepeats {
  /** Has a look once in ten minutes. */
  start(): void;
  /** Begins those that are due; they go on in the background. @returns how many */
  look(): Promise<number>;
  close(): Promise<void>;
}

export interface ImportRepeatsDeps extends RecordDeps {
  readonly runs: Pick<RunsOfImports, 'start'>;
  readonly sources: ImportSources;
  readonly nonces: NonceRepository;
  /** Told of what could not be begun; it is tried again. */
  onProblem(error: unknown): void;
}

const MINUTE_MS = 60_000;
const LOOK_MS = 10 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A little less than its name says, so that looks do not move it on from day to day. */
const periodsMs: Readonly<Record<ImportRhythm, number>> = {
  daily: DAY_MS - LOOK_MS,
  weekly: 7 * DAY_MS - LOOK_MS,
};

const LEASE = 'imports that repeat';

export function createImportRepeats(deps: ImportRepeatsDeps): ImportRepeats {
  const { imports, runs, sources, nonces, clock, onProblem } = deps;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  async function begin({ format, dataset, origin, rhythm }: ImportRecord): Promise<void> {
    if (origin === null) return;
    const { address, langs } = origin;
    const source = await sources.open({ format, dataset, langs, location: address });
    try {
      const onEnd = async () => source.close?.();
      await runs.start(systemActor, source, { origin, rhythm, onEnd });
    } catch (error) {
      source.close?.();
      throw error;
    }
  }

  async function isDue(record: ImportRecord): Promise<boolean> {
    const others = await imports.listImportsOf(record.dataset);
    const [newest = record] = others;
    if ((findRhythmSetter(others)?.number ?? 0) > record.number) {
      // What the newer one says counts.
      await changeImport(imports, record, { rhythm: null });
      return false;
    }
    const lastMs = (newest.endedAt ?? newest.aliveUntil).getTime();
    const isWaitedFor = isImportAtWork(newest, clock.now()) || newest.state === 'checked';
    const isLongAgo = record.rhythm !== null && clock.now().getTime() - lastMs >= periodsMs[record.rhythm];
    return saysRhythm(record, others) && !isWaitedFor && isLongAgo;
  }

  async function look(): Promise<number> {
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + LOOK_MS / 2);
    if (isClosed || !(await nonces.claimNonce(LEASE, { now, expiresAt }))) return 0;
    let begun = 0;
    for (const record of await imports.listRhythmic()) {
      try {
        if (!(await isDue(record))) continue;
        await begin(record);
        begun++;
      } catch (error) {
        onProblem(error);
      }
    }
    return begun;
  }

  return {
    look,
    start() {
      const next = () => {
        looking = looking.then(look).catch(onProblem);
      };
      timer ??= setInterval(next, LOOK_MS).unref();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await looking;
    },
  };
}
