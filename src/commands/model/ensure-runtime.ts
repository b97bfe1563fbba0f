import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createRuntimeMissingError,
  hasRuntime,
  RUNTIME_COMMAND,
  trimRuntime,
} from '../../adapters/onnx/runtime.ts';
import { projectRoot } from '../../project-root.ts';
import { print } from '../print.ts';

/** Installs what runs models, where it is missing. Errors: MODEL_UNAVAILABLE. */
export async function ensureRuntime(): Promise<void> {
  if (hasRuntime()) return;
  print(`Installing what runs models, once: ${RUNTIME_COMMAND}`);
  const [program = 'npm', ...args] = RUNTIME_COMMAND.split(' ');
  const options = { cwd: projectRoot, shell: process.platform === 'win32' };
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  // A machine without npm is told the same.
  const [code] = await once(child, 'close').catch(() => [null]);
  if (code !== 0 || !hasRuntime()) throw createRuntimeMissingError();
  trimRuntime();
}
