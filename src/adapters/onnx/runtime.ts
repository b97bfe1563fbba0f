import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { projectRoot } from '../../project-root.ts';

/** What runs models is a package of its own: it weighs 291 MB with the files for all systems, and most hosts need none of it.
 *  Hence its types, too, are only what is used here. */
export const runtimeFolder = join(projectRoot, 'model-runtime');

/** What installs it, as it is typed in the program's folder. */
export const RUNTIME_COMMAND = 'npm ci --prefix model-runtime --ignore-scripts';

export interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

export interface InferenceSession {
  readonly inputNames: readonly string[];
  run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, Tensor>>>;
}

interface OnnxRuntime {
  readonly InferenceSession: {
    create(path: string, options: Readonly<Record<string, unknown>>): Promise<InferenceSession>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => object;
}

export interface TextTokenizer {
  encode(text: string, options: { readonly add_special_tokens: boolean }): { readonly ids: number[] };
}

interface Tokenizers {
  readonly Tokenizer: new (tokenizer: object, config: object) => TextTokenizer;
}

export interface Runtime {
  readonly onnx: OnnxRuntime;
  readonly tokenizers: Tokenizers;
}

/** What npm writes when all is in place: before, a package may be there by half. */
const COMPLETE = '.package-lock.json';
const NATIVE_FOLDER = 'onnxruntime-node/bin/napi-v6';

/** Whether all of it is there, for this system.
 *  @param folder of its packages */
export function hasRuntime(folder = join(runtimeFolder, 'node_modules')): boolean {
  const native = join(NATIVE_FOLDER, process.platform, process.arch, 'onnxruntime_binding.node');
  return [COMPLETE, native, '@huggingface/tokenizers/package.json'].every((path) =>
    existsSync(join(folder, path)),
  );
}

/** Errors: MODEL_UNAVAILABLE. */
export function loadRuntime(): Runtime {
  if (!hasRuntime()) throw createRuntimeMissingError();
  const require = createRequire(join(runtimeFolder, 'package.json'));
  try {
    return {
      onnx: require('onnxruntime-node') as OnnxRuntime,
      tokenizers: require('@huggingface/tokenizers') as Tokenizers,
    };
  } catch (cause) {
    throw new AppError(
      'MODEL_UNAVAILABLE',
      `What runs models does not work on this machine (${process.platform}, ${process.arch}). Install it again, in the program's folder: ${RUNTIME_COMMAND}.`,
      { cause },
    );
  }
}

/** Takes the files for other systems away: 46 of 291 MB are of use. */
export function trimRuntime(): void {
  const folder = join(runtimeFolder, 'node_modules', NATIVE_FOLDER);
  if (!existsSync(join(folder, process.platform, process.arch))) return;
  for (const [parent, own] of [
    [folder, process.platform],
    [join(folder, process.platform), process.arch],
  ] as const)
    for (const name of readdirSync(parent))
      if (name !== own) rmSync(join(parent, name), { recursive: true, force: true });
}

export function createRuntimeMissingError(): AppError {
  return new AppError(
    'MODEL_UNAVAILABLE',
    `What runs models is not installed for this machine (${process.platform}, ${process.arch}). In the program's folder, run: ${RUNTIME_COMMAND}.`,
  );
}
