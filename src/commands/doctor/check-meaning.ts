import { resolve } from 'node:path';
import { toEncoderModel, verifyModelFiles } from '../../adapters/onnx/manifest.ts';
import { createMissingError } from '../../adapters/onnx/model-errors.ts';
import { findModel, MODELS_FOLDER } from '../../adapters/onnx/model-folders.ts';
import { createRuntimeMissingError, hasRuntime, RUNTIME_COMMAND } from '../../adapters/onnx/runtime.ts';
import { estimateKeptVectors } from '../../compose/encoder.ts';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { describeMeaning } from '../describe-meaning.ts';
import { type Finding, ok, warning } from './finding.ts';

const NAME = 'meaning';

/** What finds things by meaning. Searches are right without it, so nothing of it is a fault. */
export async function checkMeaning({ model, embeddings, dataDir }: Config): Promise<Finding> {
  if (embeddings !== undefined) {
    const { url, model: name } = embeddings;
    return ok(NAME, describeMeaning({ kind: 'service', name, address: new URL(url).host }));
  }
  if (model.name === 'none') return ok(NAME, describeMeaning({ kind: 'off' }));
  const found = findModel(resolve(dataDir, MODELS_FOLDER), model.name);
  if (found === null && model.name === undefined) return ok(NAME, describeMeaning({ kind: 'none' }));
  try {
    if (found?.manifest == null) throw found?.problem ?? createMissingError(model.name ?? '');
    await verifyModelFiles(found.folder, found.manifest);
    if (!hasRuntime()) throw createRuntimeMissingError();
    const kept = await estimateKeptVectors(dataDir, toEncoderModel(found.manifest));
    const { name, manifest } = found;
    return ok(
      NAME,
      `the model ${name} is installed (${manifest.licence}), and has encoded ${countTexts(kept)}`,
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const advice = hasRuntime() ? 'Run skilldock model check when it is done.' : `Run ${RUNTIME_COMMAND}.`;
    return warning(NAME, describeMeaning({ kind: 'unusable', problem: error.message }), advice);
  }
}

/** The running host says how much of the catalogue that is. */
function countTexts(count: number): string {
  return count === 0 ? 'nothing so far' : `about ${count.toLocaleString('en')} labels and objects`;
}
