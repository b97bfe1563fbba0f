import { MODELS_FOLDER } from '../adapters/onnx/model-folders.ts';
import { createOnnxEncoder } from '../adapters/onnx/onnx-encoder.ts';
import { createRemoteEncoder } from '../adapters/remote/remote-encoder.ts';
import type { Config, EmbeddingsConfig } from '../config.ts';
import type { MeaningState } from '../domain/meaning.ts';
import type { Clock } from '../ports/clock.ts';
import type { Encoder } from '../ports/encoder.ts';

export { estimateKeptVectors } from '../adapters/local/meaning/model-stores.ts';

/** What turns texts into vectors for a host. */
export interface HostEncoder extends Encoder {
  describe(): MeaningState;
}

export interface EncoderDeps {
  /** Absolute path of a file in the data folder. */
  file(name: string): string;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

/** A service that the settings name comes before a model in the data folder: it was asked for on purpose, and last. */
export function openEncoder({ model, embeddings }: Config, deps: EncoderDeps): HostEncoder {
  if (embeddings !== undefined) return openService(embeddings, deps);
  const { name: wanted } = model;
  const folder = deps.file(MODELS_FOLDER);
  const encoder = createOnnxEncoder({ folder, wanted, onProblem: deps.onProblem });
  return {
    get model() {
      return encoder.model;
    },
    encode: encoder.encode,
    close: encoder.close,
    describe() {
      if (wanted === 'none') return { kind: 'off' };
      if (encoder.problem !== null) return { kind: 'unusable', problem: encoder.problem.message };
      if (encoder.model !== null) return { kind: 'ready', name: encoder.model.name };
      return encoder.found === null ? { kind: 'none' } : { kind: 'loading', name: encoder.found };
    },
  };
}

const ASK_MS = 30_000;

/** It is asked at once, and again until it answers: its first answer tells of the model. The first failure of a row is told; until
 *  it answers again, it counts as unusable. */
function openService(embeddings: EmbeddingsConfig, { clock, onProblem }: EncoderDeps): HostEncoder {
  let problem: string | null = null;
  let isClosed = false;
  const encoder = createRemoteEncoder({ ...embeddings, clock, onCall });
  const { url, model: name } = embeddings;
  const ask = () => encoder.encode(['a'], { kind: 'query', isBackground: true });
  const timer = setInterval(() => {
    if (encoder.model === null) void ask().catch(() => {});
  }, ASK_MS).unref();
  void ask().catch(() => {});

  function onCall(error: unknown): void {
    // Those that are under way then fail, and nobody minds.
    if (isClosed) return;
    if (error !== null && problem === null) onProblem(error);
    problem = error === null ? null : error instanceof Error ? error.message : String(error);
  }

  return {
    get model() {
      return encoder.model;
    },
    encode: encoder.encode,
    close() {
      isClosed = true;
      clearInterval(timer);
      return encoder.close();
    },
    describe: () =>
      problem === null
        ? { kind: 'service', name, address: new URL(url).host }
        : { kind: 'unusable', problem },
  };
}
