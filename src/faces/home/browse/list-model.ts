import { levels, MAX_PAGE } from '../../../domain/learning-object-query.ts';
import { AppError } from '../../../errors.ts';
import type { Browsed, UsedOrder } from '../../../services/browsing/browsing.ts';
import { toFiltersView } from '../../search-view/filters.ts';
import { type SearchForm, toBrowseRequest } from '../../search-view/search-form.ts';
import { nameTopic, toFieldViews, toSkillViews } from '../../search-view/topics-view.ts';
import type { HomeFaceDeps } from '../deps.ts';
import type { Reader } from '../page-model.ts';
import { toCard } from '../results-model.ts';
import { emptyForm, homeDefaults, ITEMS_PER_PAGE } from '../search-address.ts';
import { writeBrowseAddress } from './browse-address.ts';

const LISTS_MS = 1_500;
const MOST_SKILLS = 30;

/** What `views/browse-list.eta` shows of a choice; null where the service can only be searched for words. */
export async function readListModel(deps: HomeFaceDeps, form: SearchForm, reader: Reader) {
  const { discovery, browsing, keyring } = deps;
  const { t, locale, signal } = reader;
  const request = toBrowseRequest(form, homeDefaults, locale);
  const [found, levelCounts, lists] = await Promise.all([
    browsing.browse(request, { signal }).catch(orNothing),
    browsing.countLevels(request, { signal }).catch(orNothing),
    discovery.lists({ signal, timeoutMs: LISTS_MS }),
  ]);
  if (found === null) return null;
  const filters = toFiltersView(lists, { ...reader, defaults: homeDefaults });
  const count = (value: number) => ` (${value.toLocaleString(locale)})`;
  const toChoices = (
    field: 'provider' | 'type' | 'lang',
    choices: readonly { readonly value: string; readonly name: string }[],
  ) =>
    choices
      .map(({ value, name }) => ({
        value,
        isChosen: [form[field]].flat().includes(value),
        objects: found?.facets[field].get(value) ?? 0,
        name,
      }))
      .filter(({ isChosen, objects }) => isChosen || objects > 0)
      .map(({ objects, ...choice }) => ({ ...choice, name: choice.name + count(objects) }));
  const selects = [
    { name: 'provider', choices: toChoices('provider', filters.providers) },
    { name: 'type', choices: toChoices('type', filters.types) },
    { name: 'lang', choices: toChoices('lang', filters.languages) },
    {
      name: 'level',
      choices: Object.keys(levels).map((value) => ({
        value,
        isChosen: form.level === value,
        name:
          t(`picker.filters.levels.${value}`) + count(levelCounts?.get(value as keyof typeof levels) ?? 0),
      })),
    },
  ];
  const chosen = selects.flatMap(({ choices }) => choices.filter(({ isChosen }) => isChosen));
  const names = chosen.map(({ name }) => name.replace(/ \([^()]*\)$/, ''));
  return {
    form,
    selects,
    ...toTopicModel(found, form, reader),
    title: [...(found?.within ?? []).toReversed().map((topic) => nameTopic(topic, locale)), ...names].join(
      ' · ',
    ),
    total: found?.totalItems ?? 0,
    results: toPage(found, form.page, { reader, keyring }),
    addressOf: (changes: Partial<SearchForm>) => writeBrowseAddress(form, changes),
    allHref: writeBrowseAddress(emptyForm),
    isKnown: found !== undefined && found.within.length === form.topic.length,
  };
}

/** Where the reader is among fields and skills, and what lies within. */
function toTopicModel(found: Browsed | undefined, form: SearchForm, { locale }: Reader) {
  const within = found?.within ?? [];
  const topics = found?.topics ?? [];
  const field = within.findLast(({ kind }) => kind === 'field');
  const broad = field?.within[0];
  const fields = toFieldViews(topics, locale);
  const skills = within.filter(({ kind }) => kind === 'skill').map(({ id }) => id);
  const pathOf = (topic: { readonly id: string; readonly name: string }) => ({
    name: topic.name,
    href: writeBrowseAddress(emptyForm, { topic: [topic.id] }),
  });
  return {
    path: [
      ...fields.filter(({ id }) => id === broad).map(pathOf),
      ...within.slice(0, -1).map((topic) => pathOf({ id: topic.id, name: nameTopic(topic, locale) })),
    ],
    narrower: (field === undefined
      ? form.topic.length === 0
        ? fields
        : []
      : (fields.find(({ id }) => id === field.id)?.narrower ?? [])
    ).map((each) => ({ ...each, href: writeBrowseAddress(form, { topic: [each.id, ...skills] }) })),
    skills: toSkillViews(
      topics.filter(({ id }) => !skills.includes(id)),
      { locale, field: field?.id, most: MOST_SKILLS },
    ).map((each) => ({ ...each, href: writeBrowseAddress(form, { topic: [...form.topic, each.id] }) })),
  };
}

function toPage(
  found: Browsed | undefined,
  page: number,
  { reader, keyring }: { readonly reader: Reader; readonly keyring: HomeFaceDeps['keyring'] },
) {
  const total = found?.totalItems ?? 0;
  return {
    items: (found?.items ?? []).map((each) => toCard(each, reader, keyring)),
    isTotalExact: true,
    first: page * ITEMS_PER_PAGE + 1,
    pages: Math.min(Math.ceil(total / ITEMS_PER_PAGE), MAX_PAGE + 1),
  };
}

/** What `views/browse-list.eta` shows of what courses use. */
export async function readUsedModel(deps: HomeFaceDeps, order: UsedOrder, page: number, reader: Reader) {
  const used = await deps.browsing.listUsed(order);
  const first = page * ITEMS_PER_PAGE;
  return {
    form: { ...emptyForm, page },
    selects: [],
    path: [],
    narrower: [],
    skills: [],
    title: reader.t(`browse.used.${order}`),
    total: used.length,
    results: {
      items: used.slice(first, first + ITEMS_PER_PAGE).map((each) => toCard(each, reader, deps.keyring)),
      isTotalExact: true,
      first: first + 1,
      pages: Math.ceil(used.length / ITEMS_PER_PAGE),
    },
    addressOf: ({ page: next = 0 }: Partial<SearchForm>) =>
      `/browse?used=${order}${next > 0 ? `&page=${next}` : ''}`,
    allHref: writeBrowseAddress(emptyForm),
    isKnown: true,
  };
}

/** A provider that no longer exists has nothing. */
function orNothing(error: unknown): undefined {
  if (error instanceof AppError && error.kind === 'not_found') return undefined;
  throw error;
}
