import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts a program that calls `limitThisProcess`, so that a hostile file costs neither memory nor
 *  time of the host.
 *  @param limits `heapMb` for objects of V8, and `maxBytes` for the whole process
 *  @param env its variables: it gets none of the host, which include secrets */
export function startLimitedProcess(
  program: URL,
  limits: { readonly heapMb: number; readonly maxBytes: number },
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return fork(fileURLToPath(program), [String(limits.maxBytes)], {
    env: { MALLOC_ARENA_MAX: '2', ...env },
    execArgv: [`--max-old-space-size=${limits.heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
