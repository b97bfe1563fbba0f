import type { Answered } from '../../domain/answer.ts';
import { isPassing } from '../../errors.ts';
import type { CallOptions } from '../../ports/learning-service.ts';
import { inTime } from '../in-time.ts';
import type { TenantAnswers } from '../tenant-answers/tenant-answers.ts';
import type { ListName, Lists, ListsOptions } from './discovery.ts';

export type ListAnswers = Pick<TenantAnswers, 'listProviders' | 'listTypes' | 'listBlooms' | 'listLanguages'>;

type ReadList<T> = (options: CallOptions) => Promise<Answered<readonly T[]>>;

/** Each by itself, so that one that cannot be had does not take the others away. A late one is read to its end all the
 *  same, and is there for whoever asks next. */
export async function readLists(
  answers: ListAnswers,
  { signal, timeoutMs }: ListsOptions = {},
): Promise<Lists> {
  const missing: ListName[] = [];

  async function read<T>(name: ListName, list: ReadList<T>): Promise<readonly T[]> {
    const work = list({ signal });
    try {
      const answer = timeoutMs === undefined ? await work : await inTime(work, timeoutMs);
      if (answer !== null) return answer.value;
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    missing.push(name);
    return [];
  }

  const [providers, types, blooms, languages] = await Promise.all([
    read('providers', answers.listProviders),
    read('types', answers.listTypes),
    read('blooms', answers.listBlooms),
    read('languages', answers.listLanguages),
  ]);
  return { providers, types, blooms, languages, missing };
}
