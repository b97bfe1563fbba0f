import { type ImportItem, type ImportSource, PositionLost, type RejectedRow } from '#ports/imports';
import { createSourceFileError, type SourceFile } from '../files/source-file.ts';
import { type RowOutcome, type RowReader, refuseRow, type Table } from './row-reader.ts';

export interface TablePlan {
  readonly table: Table;
  /** The prefix of the names of its parts. */
  readonly covers: string;
  createReader(): RowReader;
}

interface TableSourceOptions extends Pick<ImportSource, 'format' | 'dataset' | 'title' | 'columns'> {
  readonly covers?: readonly string[];
  readonly fingerprint: string;
  readonly plans: readonly TablePlan[];
  readonly notes?: readonly RejectedRow[];
}

const MAX_NAMED = 30;
/** Maximum number of unusable rows of a table that has fewer usable ones. */
const MAX_UNUSABLE = 50_000;

/** Notes the files that a source lacks, and those of its folder that it does not read. */
export function noteFiles(place: string, missing: readonly string[], unread: readonly SourceFile[]): RejectedRow[] {
  const note = (names: readonly string[], problem: string): RejectedRow[] => {
    const reason = `${problem}: ${names.slice(0, MAX_NAMED).join(', ')}`;
    return names.length === 0 ? [] : [{ place, reason, isUsed: true, isNote: true }];
  };
  const unreadNames = unread.map(({ name }) => name);
  return [...note(missing, 'these files are not here'), ...note(unreadNames, 'these files are not read')];
}

/** Is in the fingerprint: a reader that makes other parts of a file is another source. */
const READER_VERSION = 3;

/** Creates a source of tables. A position has the numbers of a table and of its finished rows. */
export function createTableSource(options: TableSourceOptions): ImportSource {
  const { format, dataset, title, plans, columns } = options;
  return {
    format,
    dataset,
    title,
    covers: options.covers ?? [...new Set(plans.map(({ covers }) => covers))],
    fingerprint: `${READER_VERSION}:${options.fingerprint}`,
    total: plans.reduce((sum, { table }) => sum + table.file.sizeBytes, 0),
    unit: 'bytes',
    ...(columns !== undefined && { columns }),
    read: ({ after, signal }) => readSourcePlans(options, after, signal),
  };
}

async function* readSourcePlans(
  { plans, notes = [] }: Pick<TableSourceOptions, 'plans' | 'notes'>,
  after: string | null,
  signal: AbortSignal,
): AsyncIterable<ImportItem> {
  const [first, rowsDone] = parseSourcePosition(after);
  let before = 0;
  const tableNotes = plans.flatMap(({ table }) =>
    (table.notes ?? []).map((note) => ({ place: table.file.name, ...note })),
  );
  const rejected = [...notes, ...tableNotes];
  if (after === null && rejected.length > 0) yield { position: '0:0', done: 0, rows: 0, parts: [], rejected };
  for (const [number, plan] of plans.entries()) {
    if (number >= first) {
      for await (const item of readSourcePlan(plan, signal)) {
        if (number === first && item.rowsSoFar <= rowsDone) continue;
        const position = `${number}:${item.rowsSoFar}`;
        const { rows, parts, rejected, leftOut = 0 } = item;
        yield { position, done: before + item.bytes, rows, parts, rejected, leftOut };
      }
    }
    before += plan.table.file.sizeBytes;
  }
  for (const { table } of plans) await table.file.assertUnchanged();
}

function parseSourcePosition(position: string | null): readonly [table: number, rows: number] {
  const match = /^(\d+):(\d+)$/.exec(position ?? '0:0');
  if (match === null) throw new PositionLost(`there is no such position: ${position}`);
  return [Number(match[1]), Number(match[2])];
}

interface PlanItem extends Pick<ImportItem, 'rows' | 'parts' | 'rejected' | 'leftOut'> {
  readonly rowsSoFar: number;
  readonly bytes: number;
}

/** Yields an item for each row, or for several rows that belong together. */
async function* readSourcePlan({ table, createReader }: TablePlan, signal: AbortSignal): AsyncIterable<PlanItem> {
  const reader = createReader();
  const progress = { rows: 0, reportedRows: 0, bytes: 0, line: 0, unusable: 0 };
  const item = (outcome: RowOutcome): PlanItem => {
    const rows = progress.rows - progress.reportedRows;
    progress.reportedRows = progress.rows;
    const place = `${table.file.name}:${progress.line}`;
    const rejected = (outcome.rejected ?? []).map((row) => ({ place, ...row }));
    const { parts, leftOut = 0 } = outcome;
    progress.unusable += rejected.filter(({ isUsed }) => isUsed !== true).length;
    if (progress.unusable > MAX_UNUSABLE && progress.unusable > progress.rows / 2)
      throw createSourceFileError(
        table.file.name,
        `has ${MAX_UNUSABLE} rows that cannot be used. The last one is ${place}: ${rejected.at(-1)?.reason}.`,
      );
    return { rows, parts, rejected, leftOut, rowsSoFar: progress.rows, bytes: progress.bytes };
  };
  for await (const row of table.read(signal)) {
    signal.throwIfAborted();
    const { before, now } =
      row.problem === null ? reader.add(row) : { before: reader.end(), now: refuseRow(row.problem) };
    if (before !== null) yield item(before);
    progress.rows += 1;
    progress.bytes = row.endBytes;
    progress.line = row.line;
    if (now !== null) yield item(now);
  }
  const last = reader.end();
  if (last !== null) yield item(last);
}
