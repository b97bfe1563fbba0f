import { levels } from '#domain/learning-object-query';
import { isPassingError } from '#errors';
import { toFiltersView } from '#faces/search-view/filters';
import { emptyForm, toBrowseRequest } from '#faces/search-view/search-form';
import { toTopicFieldViews, toTopicSkillViews } from '#faces/search-view/topics-view';
import type { UsedOrder } from '#services/searching/browsing';
import type { HomeFaceDeps } from '../deps.ts';
import { toPageLogo } from '../logos.ts';
import type { Reader } from '../pages.ts';
import { toResultCard } from '../results-model.ts';
import { homeDefaults, LISTS_MS, writeAddress, writeBrowseAddress } from '../search-address.ts';

const MAX_SKILLS = 40;
const MAX_USED = 6;
const MAX_USED_ON_FRONT = 4;
const PROVIDERS_ON_FRONT = 8;

/** Reads the model of `views/browse.eta`: all ways into the catalogue. */
export async function readOverviewModel(deps: HomeFaceDeps, reader: Reader) {
  const { discovery, browsing } = deps;
  const { t, locale, signal } = reader;
  const request = toBrowseRequest(emptyForm, homeDefaults, locale);
  const [result, levelCounts, lists, used] = await Promise.all([
    browsing.browse(request, { signal }),
    browsing.countLevels(request, { signal }),
    discovery.lists({ signal, timeoutMs: LISTS_MS }),
    Promise.all([readOverviewUsed(deps, reader, 'most'), readOverviewUsed(deps, reader, 'newest')]),
  ]);
  const formatNumber = (value: number) => value.toLocaleString(locale);
  const writeCount = (count: number) => (result === null ? '' : formatNumber(count));
  const countOf = (field: 'provider' | 'type' | 'lang', value: string) => result?.facets[field].get(value) ?? 0;
  const filters = toFiltersView(lists, { t, locale, form: emptyForm, defaults: homeDefaults });
  /** Links to a browsed page, or to a search if the upstream can only be searched. */
  const writeWayAddress = (field: 'provider' | 'type' | 'lang', value: string): string => {
    const chosen = { [field]: field === 'lang' ? value : [value] };
    return result === null ? `${writeAddress(emptyForm, chosen)}#search` : writeBrowseAddress(emptyForm, chosen);
  };
  /** Lists a filter's choices that leave objects, the most first; all if they are not counted. */
  const toWays = (field: 'type' | 'lang') =>
    (filters.selects.find(({ name }) => name === field)?.choices ?? [])
      .map(({ value, name }) => ({ name, href: writeWayAddress(field, value), count: countOf(field, value) }))
      .filter(({ count }) => result === null || count > 0)
      .sort((a, b) => b.count - a.count)
      .map(({ count, ...way }) => ({ ...way, objects: writeCount(count) }));
  const providers = lists.providers
    .map((provider) => ({ provider: toPageLogo(provider, reader.pictures), count: countOf('provider', provider.id) }))
    .filter(({ count }) => result === null || count > 0)
    .sort((a, b) => a.provider.name.localeCompare(b.provider.name, locale));
  return {
    isWhole: lists.missing.length === 0,
    total: result && formatNumber(result.totalItems),
    allHref: writeBrowseAddress(emptyForm),
    fields: toTopicFieldViews(result?.topics ?? [], locale),
    skills: toTopicSkillViews(result?.topics ?? [], { locale, max: MAX_SKILLS }).map((skill) => ({
      ...skill,
      href: writeBrowseAddress(emptyForm, { topic: [skill.id] }),
    })),
    types: toWays('type'),
    languages: toWays('lang'),
    levels: Object.keys(levels).flatMap((name) => {
      const level = name as keyof typeof levels;
      const count = levelCounts.get(level) ?? 0;
      const href = writeBrowseAddress(emptyForm, { level });
      return count === 0 ? [] : [{ name: t(`search.filters.levels.${level}`), href, objects: formatNumber(count) }];
    }),
    providers: providers.map(({ provider, count }) => ({
      ...provider,
      href: writeWayAddress('provider', provider.id),
      objects: writeCount(count),
    })),
    used: used.flat(),
    addressOfTopic: (id: string) => writeBrowseAddress(emptyForm, { topic: [id] }),
  };
}

/** Reads the ways into the catalogue for the front page; they are empty if browsing fails. */
export async function readOverviewLanding(deps: HomeFaceDeps, reader: Reader) {
  const { browsing, discovery } = deps;
  const { locale, pictures, signal } = reader;
  const request = toBrowseRequest(emptyForm, homeDefaults, locale);
  const [result, used, lists] = await Promise.all([
    browsing.browse(request, { signal }).catch(ignorePassingError),
    readOverviewUsed(deps, reader, 'most', MAX_USED_ON_FRONT),
    discovery.lists({ signal, timeoutMs: LISTS_MS }),
  ]);
  const countOf = (id: string) => result?.facets.provider.get(id) ?? 0;
  const byCount = lists.providers.toSorted(
    (a, b) => countOf(b.id) - countOf(a.id) || a.name.localeCompare(b.name, locale),
  );
  return {
    isWhole: result !== undefined,
    providers: byCount.slice(0, PROVIDERS_ON_FRONT).map((each) => toPageLogo(each, pictures)),
    fields: toTopicFieldViews(result?.topics ?? [], locale).map((field) => ({
      ...field,
      href: writeBrowseAddress(emptyForm, { topic: [field.id] }),
    })),
    used,
  };
}

function ignorePassingError(error: unknown): undefined {
  if (isPassingError(error)) return undefined;
  throw error;
}

async function readOverviewUsed({ browsing, keyring }: HomeFaceDeps, reader: Reader, order: UsedOrder, max = MAX_USED) {
  const objects = await browsing.listUsed(order);
  const items = objects.slice(0, max).map((object) => toResultCard(object, reader, keyring));
  return items.length === 0 ? [] : [{ order, href: `/browse?used=${order}`, hasMore: objects.length > max, items }];
}
