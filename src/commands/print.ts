/** `printForSure` reports failures. Stays set after one, as streams report it again. */
let isAwaited = false;

/** Lets a command finish if nobody reads its output: `… | head`. @param fail for other errors */
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

/** For a line that must not be lost. Errors: of writing, also if nobody reads it. */
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

/** A result as people read it, or as JSON for programs. */
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

/** `1 fault`, `2 faults`. */
export const countInWords = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** `2026-11-28 22:10`, in UTC. */
export const toMinute = (instant: Date): string => instant.toISOString().slice(0, 16).replace('T', ' ');

/** Reports an error in the background of the command, which continues. */
export function printProblem(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
