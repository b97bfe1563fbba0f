import { waitingModal } from '../../blocks/messages.ts';
import { findKept } from '../../kept-state.ts';
import type { ViewListener } from '../../listener.ts';
import type { SearchDeps } from '../../search-modal/open-search.ts';
import { fieldId } from '../../search-modal/search-fields.ts';
import { searchLine } from '../../search-modal/search-line.ts';
import { SEARCH_CALLBACK } from '../../search-modal/search-modal.ts';
import type { SearchState } from '../../search-modal/search-state.ts';

/** What was filled in: its results take the place of the form. */
export function searchFormListener(deps: SearchDeps): ViewListener {
  const { learn } = deps;
  return {
    kind: 'view',
    callbackId: SEARCH_CALLBACK,
    async submit(context, { values, privateMetadata: token }) {
      const [words, begun] = await Promise.all([context.words(), learn.begin(context)]);
      const line = searchLine(values, begun);
      if (line === null) {
        const errors = { [fieldId('words')]: words.t('slackSearch.noWords') };
        return { show: { kind: 'errors', errors } };
      }
      const title = words.t('slackSearch.title');
      return {
        show: { kind: 'update', view: waitingModal({ title, callbackId: 'search_found' }, words) },
        isRepeatable: true,
        afterwards: async () => {
          const state = await findKept<SearchState>(deps, context, { token, kind: 'search' });
          return { kind: 'replace', message: await learn.search(context, line, state?.shareTo ?? undefined) };
        },
      };
    },
  };
}
