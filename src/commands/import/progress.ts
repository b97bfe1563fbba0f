import type { ImportProgress } from '#services/catalogue/imports/import-records';

interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export type ProgressLine = ReturnType<typeof createProgressLine>;
export type ProgressView = Omit<ProgressLine, 'show'> & { show(progress: ImportProgress): void };
const REDRAW_MS = 100;
const LINE_MS = 5_000;
const BAR_WIDTH = 24;
const DEFAULT_COLUMNS = 80;
/** Time after which a rate is meaningful. */
const WARM_UP_MS = 500;
const MEGABYTE = 1_000_000;

/** Shows progress as one line that is redrawn on a terminal, elsewhere as a line every 5 s. */
export function createProgressLine(output: ProgressOutput, now: () => number = Date.now) {
  const isTerminal = output.isTTY === true;
  const everyMs = isTerminal ? REDRAW_MS : LINE_MS;
  let shownAt = now();
  let isOpen = false;
  const end = () => {
    if (isOpen) output.write('\n');
    isOpen = false;
  };
  return {
    /** @param describe is called only when it is time to show the progress */
    show(describe: () => string): void {
      if (now() - shownAt < everyMs) return;
      shownAt = now();
      if (!isTerminal) return void output.write(`${describe()}\n`);
      // The previous line may have been longer.
      output.write(`\r\u001b[K${describe().slice(0, (output.columns ?? DEFAULT_COLUMNS) - 1)}`);
      isOpen = true;
    },
    say(line: string): void {
      end();
      output.write(`${line}\n`);
    },
    end,
  };
}

export function createProgressView(output: ProgressOutput, now: () => number = Date.now): ProgressView {
  const line = createProgressLine(output, now);
  let start: { readonly at: number; readonly done: number; readonly rows: number } | undefined;
  return {
    ...line,
    show(progress) {
      const { done, counts } = progress;
      start ??= { at: now(), done, rows: counts.rows };
      const { at, ...before } = start;
      line.show(() =>
        describeProgress(progress, {
          elapsedMs: now() - at,
          done: done - before.done,
          rows: counts.rows - before.rows,
        }),
      );
    },
  };
}

/** Progress since this command began, for rates: a resumed import has done a part before. */
export type SinceStart = { readonly elapsedMs: number; readonly done: number; readonly rows: number };
const phases = { reading: 'Reading', comparing: 'Comparing with what is there', switching: 'Switching over' } as const;

/** @example 'Reading [######----]  58 %  24.1 of 42.7 MB  61,204 rows, 9,120/s  2 min left' */
export function describeProgress(progress: ImportProgress, sinceStart: SinceStart): string {
  const { phase, done, total, unit, counts } = progress;
  if (phase !== 'reading') return `${phases[phase]}: ${writeProgressCount(counts.rows)} rows read`;
  const share = total === null || total === 0 ? null : Math.min(done / total, 1);
  const filled = Math.round((share ?? 0) * BAR_WIDTH);
  return [
    phases[phase],
    ...(share === null
      ? []
      : [`[${'#'.repeat(filled).padEnd(BAR_WIDTH, '-')}]`, `${Math.floor(share * 100)} %`.padStart(5)]),
    writeProgressAmount(done, total, unit),
    `${writeProgressCount(counts.rows)} rows${writeProgressRate(sinceStart)}`,
    ...(counts.rejected > 0 ? [`${writeProgressCount(counts.rejected)} rejected`] : []),
    ...(share === null ? [] : writeProgressTimeLeft(share, sinceStart, { done, total })),
  ].join('  ');
}

function writeProgressAmount(done: number, total: number | null, unit: string): string {
  const isBytes = unit === 'bytes';
  const write = (value: number) => (isBytes ? (value / MEGABYTE).toFixed(1) : writeProgressCount(value));
  return `${write(done)}${total === null ? '' : ` of ${write(total)}`} ${isBytes ? 'MB' : unit}`;
}

const writeProgressRate = ({ elapsedMs, rows }: SinceStart): string =>
  elapsedMs < WARM_UP_MS ? '' : `, ${writeProgressCount(Math.round((rows * 1_000) / elapsedMs))}/s`;

function writeProgressTimeLeft(
  share: number,
  { elapsedMs, done: doneSinceStart }: SinceStart,
  { done, total }: { readonly done: number; readonly total: number | null },
): string[] {
  if (elapsedMs < WARM_UP_MS || doneSinceStart <= 0 || total === null || share >= 1) return [];
  return [`${writeProgressDuration(((total - done) * elapsedMs) / doneSinceStart)} left`];
}

/** Writes a duration such as `45 s`, `3 min` or `2 h 10 min`. */
export function writeProgressDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** @example writeProgressCount(1_234_567) // '1,234,567' */
export const writeProgressCount = (value: number): string => value.toLocaleString('en-US');
