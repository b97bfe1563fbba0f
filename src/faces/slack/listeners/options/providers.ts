import { matchingOptions } from '../../blocks/menus.ts';
import type { OptionsListener } from '../../listener.ts';
import { LISTS_MS } from '../../request-limits.ts';

/** Providers whose name has what was typed, however it is written. */
export function providersListener(actionId: string): OptionsListener {
  return {
    kind: 'options',
    actionId,
    async handle({ discovery, words }, typed) {
      const [{ providers }, { locale }] = await Promise.all([
        discovery.lists({ timeoutMs: LISTS_MS }),
        words(),
      ]);
      const named = providers.map(({ id, name }) => ({ value: id, name }));
      return matchingOptions(named, typed, locale);
    },
  };
}
