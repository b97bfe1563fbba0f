import { isPassingError } from '#errors';
import { emptyForm, toBrowseRequest } from '#faces/search-view/search-form';
import { toFieldViews } from '#faces/search-view/topics-view';
import type { HomeFaceDeps } from '../deps.ts';
import type { Reader } from '../page-model.ts';
import { homeDefaults } from '../search-address.ts';
import { writeBrowseAddress } from './browse-address.ts';
import { readUsed } from './overview-model.ts';

const MOST_USED = 4;

/** The links below an empty search field. If the service fails, the list of fields is empty and
 *  `isWhole` is false, and the page still has its search field. */
export async function readLanding(deps: HomeFaceDeps, reader: Reader) {
  const { browsing } = deps;
  const { locale, signal } = reader;
  const request = toBrowseRequest(emptyForm, homeDefaults, locale);
  const [result, used] = await Promise.all([
    browsing.browse(request, { signal }).catch(ignorePassingError),
    readUsed(deps, reader, MOST_USED),
  ]);
  return {
    isWhole: result !== undefined,
    fields: toFieldViews(result?.topics ?? [], locale).map((field) => ({
      ...field,
      href: writeBrowseAddress(emptyForm, { topic: [field.id] }),
    })),
    used: used.filter(({ order }) => order === 'most'),
  };
}

function ignorePassingError(error: unknown): undefined {
  if (isPassingError(error)) return undefined;
  throw error;
}
