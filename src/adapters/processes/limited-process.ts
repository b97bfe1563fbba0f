import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts a program that calls `limitThisProcess`: a hostile file costs neither memory nor time of
 *  the host.
 *  @param heapMb memory for objects of V8
 *  @param maxBytes memory of the whole process
 *  @param env its variables, without those of the host, which include secrets */
export function startLimitedProcess(
  program: URL,
  { heapMb, maxBytes }: { readonly heapMb: number; readonly maxBytes: number },
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return fork(fileURLToPath(program), [String(maxBytes)], {
    env: { MALLOC_ARENA_MAX: '2', ...env },
    execArgv: [`--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
