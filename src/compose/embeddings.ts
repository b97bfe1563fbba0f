import { OWN_SOURCE } from '../adapters/local/build-version.ts';
import { createEmbedder } from '../adapters/remote/embedder.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../ports/clock.ts';
import type { LearningService } from '../ports/learning-service.ts';
import { createReranking } from '../services/reranking/reranking.ts';

export interface RankedLearning {
  readonly learning: LearningService;
  close(): Promise<void>;
}

export interface RankedLearningDeps {
  /** Our own engine. */
  readonly learning: LearningService;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

/** Our own engine, with an embedding service that re-ranks where one is configured; as it is otherwise. */
export function openRankedLearning({ embeddings }: Config, deps: RankedLearningDeps): RankedLearning {
  if (embeddings === undefined) return { learning: deps.learning, close: async () => undefined };
  const embedder = createEmbedder({ ...embeddings, clock: deps.clock });
  return {
    learning: createReranking({ ...deps, embedder, ownSource: OWN_SOURCE }),
    close: () => embedder.close(),
  };
}
