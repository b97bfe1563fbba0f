import type { Languages } from '../../words/i18n.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext } from '../listener.ts';
import { LISTS_MS } from '../request-limits.ts';
import { parseLearn } from '../text/parse-learn.ts';
import { takeBack } from './any-value.ts';
import { type Understood, understand } from './understand.ts';
import { nameValues } from './value-names.ts';

/** What was typed, under what the person prefers and the tenant begins with. */
export async function understandTyped(
  { tenants, languages }: Pick<SlackFaceDeps, 'tenants'> & { readonly languages: Languages },
  context: SlackContext,
  typed: string,
): Promise<Understood> {
  const [{ defaults }, preferences, lists, words] = await Promise.all([
    tenants.getTenant(context.owner.tenantId),
    context.preferences(),
    context.discovery.lists({ timeoutMs: LISTS_MS }),
    context.words(),
  ]);
  const { typed: search, ...beginning } = takeBack(parseLearn(typed), { preferences, defaults });
  return understand(search, { names: nameValues(lists, languages), ...beginning, words });
}
