import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Say why tests are skipped. Under `CI=true` only a reason listed in `.ci/allowed-skips` may be one; any other fails. */
export function skipBecause(reason: string, howToRun: string): void {
  process.stderr.write(`skipped: ${reason}. ${howToRun}\n`);
  if (process.env.CI === 'true' && !allowedReasons().includes(reason)) {
    throw new Error(
      `Tests are skipped in CI: ${reason}. Install what is missing, or list the reason in .ci/allowed-skips.`,
    );
  }
}

function allowedReasons(): string[] {
  return readFileSync(resolve('.ci/allowed-skips'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}
