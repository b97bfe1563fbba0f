/** Whether `printForSure` reports failures of standard output. It stays set after a failure, as the
 *  stream reports that again. */
let isAwaited = false;

/** Lets a command finish if nobody reads its output: `… | head`. @param fail is called for all
 *  other errors of the output */
export function allowClosedOutput(fail: (error: unknown) => void): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isAwaited && stream === process.stdout) return;
      if (error.code !== 'EPIPE') fail(error);
    });
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a line that must not be lost. Errors: those of writing, also if nobody reads it. */
export async function printForSure(line: string): Promise<void> {
  isAwaited = true;
  await new Promise<void>((done, fail) => {
    process.stdout.write(`${line}\n`, (error) => (error ? fail(error) : done()));
  });
  isAwaited = false;
}

export type JsonOption = { readonly json?: boolean };

export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** Prints a result as text for people, or as JSON for programs. */
export function printResult({ json }: JsonOption, value: unknown, text: string): void {
  print(json ? JSON.stringify(value) : text);
}

export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

/** @example countInWords(2, 'fault') // '2 faults' */
export const countInWords = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Writes an instant in UTC: `2026-11-28 22:10`. */
export const toMinute = (instant: Date): string => instant.toISOString().slice(0, 16).replace('T', ' ');

/** Reports an error in the background of the command, which continues. */
export function printProblem(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
