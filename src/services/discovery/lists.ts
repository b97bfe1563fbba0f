import type { CallOptions } from '../../ports/learning-service.ts';
import type { Lists } from '../discovery.ts';
import type { TenantAnswers } from '../tenant-answers.ts';

export type ListAnswers = Pick<TenantAnswers, 'listProviders' | 'listTypes' | 'listBlooms' | 'listLanguages'>;

export async function readLists(answers: ListAnswers, options: CallOptions = {}): Promise<Lists> {
  const [providers, types, blooms, languages] = await Promise.all([
    answers.listProviders(options),
    answers.listTypes(options),
    answers.listBlooms(options),
    answers.listLanguages(options),
  ]);
  return {
    providers: providers.value,
    types: types.value,
    blooms: blooms.value,
    languages: languages.value,
  };
}
