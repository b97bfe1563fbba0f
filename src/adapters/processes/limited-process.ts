import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ProcessLimits {
  /** Of the objects of V8: the process ends where they need more. */
  readonly heapMb: number;
  /** Of everything together. */
  readonly maxBytes: number;
}

/** Starts a program that calls `limitThisProcess`: whatever it does with a hostile file costs
 *  neither memory nor time of the host.
 *  @param env its variables; it has none of the host, whose secrets are among them */
export function startLimitedProcess(
  program: URL,
  { heapMb, maxBytes }: ProcessLimits,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return fork(fileURLToPath(program), [String(maxBytes)], {
    env: { MALLOC_ARENA_MAX: '2', ...env },
    execArgv: [`--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
