import { providerOptions } from '../../learn/provider-menu.ts';
import type { OptionsListener } from '../../listener.ts';
import { LISTS_MS } from '../../request-limits.ts';

/** Providers to choose from, while their name is typed. */
export function learnProvidersListener(): OptionsListener {
  return {
    kind: 'options',
    actionId: 'learn_filter_provider',
    async handle(context, typed) {
      const [lists, words] = await Promise.all([
        context.discovery.lists({ timeoutMs: LISTS_MS }),
        context.words(),
      ]);
      return providerOptions(lists, typed, words);
    },
  };
}
