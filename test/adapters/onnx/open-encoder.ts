import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import {
  createOnnxEncoder,
  type OnnxEncoder,
  type OnnxEncoderOptions,
} from '../../../src/adapters/onnx/onnx-encoder.ts';
import { testManifest } from '../../helpers/test-model.ts';

/** An empty folder of models, gone after the test. */
export function makeModelsFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-models-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy of the test model that a test may damage. */
export function copyModel(model: string, folder: string, name = testManifest.name): string {
  mkdirSync(folder, { recursive: true });
  const copy = join(folder, name);
  cpSync(model, copy, { recursive: true });
  return copy;
}

export interface OpenedEncoder {
  readonly encoder: OnnxEncoder;
  readonly problems: unknown[];
}

/** An encoder that waits for a busy machine, and looks at its folder often; closed after the test. */
export function openEncoder(
  folder: string,
  options: Partial<OnnxEncoderOptions> = {},
  create = createOnnxEncoder,
): OpenedEncoder {
  const problems: unknown[] = [];
  const encoder = create({
    ...{ folder, deadlineMs: 60_000, lookMs: 20, pauseMs: 20 },
    onProblem: (error) => problems.push(error),
    ...options,
  });
  onTestFinished(() => encoder.close());
  return { encoder, problems };
}

export const isThere = (encoder: OnnxEncoder) =>
  expect.poll(() => encoder.model?.name, { timeout: 20_000 }).toBe(testManifest.name);
export const isGone = (encoder: OnnxEncoder) =>
  expect.poll(() => encoder.model, { timeout: 20_000 }).toBeNull();

export function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, number, at) => sum + number * other[at]!, 0);
}
