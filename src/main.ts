import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { addAdminCommand } from './commands/admin.ts';
import { addCatalogCommand } from './commands/catalog.ts';
import { addCheckLinksCommand } from './commands/check-links.ts';
import { addDoctorCommand } from './commands/doctor/doctor.ts';
import { addFeedbackCommand } from './commands/feedback.ts';
import { addImportCommands } from './commands/import/import.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addPeopleCommand } from './commands/people.ts';
import { allowClosedOutput } from './commands/print.ts';
import { addSecretsCommand } from './commands/secrets.ts';
import { addServeCommand } from './commands/serve.ts';
import { addStoreCommands } from './commands/store.ts';
import { addTenantsCommand } from './commands/tenants.ts';
import { AppError, type ErrorKind, isDiskFullError } from './errors.ts';
import { projectRoot } from './project-root.ts';

const USAGE_ERROR = 2;
const NOT_AVAILABLE = 3;

/** Exit codes by kind of error, as `skilldock --help` lists them; 1 for all other kinds. */
const exitCodes: Readonly<Partial<Record<ErrorKind, number>>> = {
  invalid: USAGE_ERROR,
  not_found: USAGE_ERROR,
  conflict: NOT_AVAILABLE,
  unavailable: NOT_AVAILABLE,
};

const EXIT_CODE_HELP = `
Exit codes:
  0  done
  1  an unexpected error, or faults that doctor found
  2  a wrong option, setting or name
  3  something needed is not available: a port in use, a folder that cannot be written, space on a disk, the store
  130  stopped with Ctrl+C`;

async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
  const program = new Command('skilldock')
    .description('Competency and learning-object search, docked into the places where people teach and work')
    .version(version)
    .addHelpText('after', EXIT_CODE_HELP)
    .exitOverride();
  program.commandsGroup('To begin with:');
  addServeCommand(program, version);
  addDoctorCommand(program);
  program.commandsGroup('For administrators of a tenant:');
  addAdminCommand(program);
  addTenantsCommand(program);
  addKeysCommand(program);
  addImportCommands(program, version);
  addFeedbackCommand(program);
  addPeopleCommand(program);
  program.commandsGroup('For operators of the host:');
  addStoreCommands(program);
  addSecretsCommand(program);
  addCatalogCommand(program, version);
  addCheckLinksCommand(program, version);
  program.commandsGroup('For assistants:');
  addMcpCommand(program, version);
  // `npx skilldock` alone starts the host. As commander's default command, `serve` would also get
  // every misspelt name.
  await program.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'serve']);
}

const tooManyFiles: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** Prints what went wrong and what to do, and returns the exit code. */
function reportError(error: unknown): number {
  // Commander has printed its message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
  if (error instanceof AppError) {
    process.stderr.write(`${error.message}\n`);
    for (const { path, problem } of error.problems) process.stderr.write(`  ${path}: ${problem}\n`);
    return exitCodes[error.kind] ?? 1;
  }
  if (isDiskFullError(error)) {
    const { path, message } = error as NodeJS.ErrnoException;
    process.stderr.write(
      `There is no space left${path === undefined ? '' : ` for ${path}`}. Make room on its disk, and try again (${message}).\n`,
    );
    return NOT_AVAILABLE;
  }
  if (isSystemError(error)) {
    const advice = tooManyFiles.has(error.code)
      ? 'Let this user open more files (ulimit -n; 1,024 are enough)'
      : `Look at ${error.path ?? 'what it names'}`;
    process.stderr.write(`The system refuses it: ${error.message}. ${advice}, and try again.\n`);
    return NOT_AVAILABLE;
  }
  process.stderr.write(`Unexpected error: ${error instanceof Error ? error.stack : error}\n`);
  return 1;
}

// Files with keys, feedback and the store are private to this user.
process.umask(0o077);
allowClosedOutput((error) => process.exit(reportError(error)));

try {
  await main();
} catch (error) {
  process.exit(reportError(error));
}
