import type { Clock } from '../../ports/clock.ts';
import type { CallOptions } from '../../ports/learning-service.ts';
import type { TenantAnswers } from '../tenant-answers/tenant-answers.ts';
import type { Completions } from './results.ts';

export interface CompleteDeps {
  readonly answers: Pick<TenantAnswers, 'suggest'>;
  readonly clock: Clock;
}

export async function complete(
  { answers, clock }: CompleteDeps,
  keywords: string,
  options: CallOptions = {},
): Promise<Completions> {
  if (keywords.trim() === '')
    return { suggestions: [], source: { upstream: null, freshness: 'fresh', answeredAt: clock.now() } };
  const { value, source } = await answers.suggest({ keywords }, options);
  return { suggestions: value.suggestions, source };
}
