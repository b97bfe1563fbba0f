import type { SearchDefaults } from '#domain/tenant';
import { createSearchForm, EVERY_TOPIC, type SearchForm, toBrowseRequest } from '#faces/search-view/search-form';
import type { FieldView, TopicView } from '#faces/search-view/topics-view';
import { nameTopic, toTopicFieldViews, toTopicSkillViews, writeTopicCount } from '#faces/search-view/topics-view';
import type { Browsed } from '#services/searching/browsing';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';
import { readPickerCards } from './cards.ts';

const MAX_SKILLS = 12;
const MAX_USED = 3;

export async function readBrowseStart(deps: LtiFaceDeps, context: LaunchContext, defaults: SearchDefaults) {
  const { launch, locale, signal } = context;
  const browsing = deps.browsingOf(launch.tenantId);
  const [browsed, used] = await Promise.all([
    browsing.browse(toBrowseRequest(createSearchForm(defaults), defaults, locale), { signal }),
    browsing.listUsed('most'),
  ]);
  const sources = used.slice(0, MAX_USED).map(({ object }) => ({ object, requestId: null }));
  return {
    fields: toTopicFieldViews(browsed?.topics ?? [], locale),
    skills: toTopicSkillViews(browsed?.topics ?? [], { locale, most: MAX_SKILLS }),
    used: await readPickerCards(sources, deps, context),
  };
}

export type SearchChoices = { readonly form: SearchForm; readonly defaults: SearchDefaults };
export type BrowsedView = NonNullable<Awaited<ReturnType<typeof readBrowsed>>>;

/** Reads objects of topics; null if they cannot be browsed. Errors: those of `Browsing.browse`. */
export async function readBrowsed(deps: LtiFaceDeps, context: LaunchContext, { form, defaults }: SearchChoices) {
  const { launch, locale, signal, t } = context;
  const request = toBrowseRequest(form, defaults, locale);
  const browsed = await deps.browsingOf(launch.tenantId).browse(request, { signal });
  if (browsed === null) return null;
  const { totalItems, hasMore, items, facets } = browsed;
  return {
    count: totalItems === 0 ? t('browse.nothing') : writeTopicCount(browsed, request.query, context),
    cards: await readPickerCards(items, deps, context),
    nextPage: hasMore ? form.page + 1 : null,
    facets,
    ...toBrowseTopicLinks(browsed, form, context),
  };
}

function toBrowseTopicLinks(browsed: Browsed, form: SearchForm, { locale, t }: LaunchContext) {
  const { within, topics } = browsed;
  const fields = toTopicFieldViews(topics, locale);
  const narrower = listNarrowerBrowseTopics(browsed, fields, form, locale);
  const current = within.at(-1);
  if (current === undefined) return { path: [], here: '', within: narrower };
  const field = findBrowsedField(browsed);
  const broader = [
    { id: EVERY_TOPIC, name: t('browse.everything') },
    ...fields.filter(({ id }) => field?.within.includes(id) === true),
    ...within.slice(0, -1).map((topic) => ({ id: topic.id, name: nameTopic(topic, locale) })),
  ];
  const path = broader.map(({ id, name }) => ({ name, topic: id, objects: '' }));
  return { path, here: nameTopic(current, locale), within: narrower };
}

const findBrowsedField = ({ within }: Browsed) => within.findLast(({ kind }) => kind === 'field');

/** Lists narrower fields, which keep the selected skills, and skills to add to the selected topics. */
function listNarrowerBrowseTopics(browsed: Browsed, fields: readonly FieldView[], form: SearchForm, locale: string) {
  const field = findBrowsedField(browsed);
  const skillIds = browsed.within.filter(({ kind }) => kind === 'skill').map(({ id }) => id);
  const allFields = skillIds.length === 0 ? fields : [];
  const narrowerFields = field === undefined ? allFields : fields.find(({ id }) => id === field.id)?.narrower;
  const skills = toTopicSkillViews(
    browsed.topics.filter(({ id }) => !skillIds.includes(id)),
    { locale, field: field?.id, most: MAX_SKILLS },
  );
  const toLink = ({ name, objects }: Pick<TopicView, 'name' | 'objects'>, ids: readonly string[]) => ({
    name,
    objects,
    topic: ids.join(' '),
  });
  return [
    ...(narrowerFields ?? []).map((view) => toLink(view, [view.id, ...skillIds])),
    ...skills.map((view) => toLink(view, [...form.topic, view.id])),
  ];
}
