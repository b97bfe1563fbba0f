import type { SearchDefaults } from '#domain/tenant';
import { createSearchForm, EVERY_TOPIC, type SearchForm, toBrowseRequest } from '#faces/search-view/search-form';
import {
  nameTopic,
  toTopicFieldViews,
  toTopicSkillViews,
  toTopicWays,
  writeTopicCount,
} from '#faces/search-view/topics-view';
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
    skills: toTopicSkillViews(browsed?.topics ?? [], { locale, max: MAX_SKILLS }),
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
  const { broader, narrower, skills, skillIds } = toTopicWays(browsed, { locale, max: MAX_SKILLS });
  const toLink = ({ name, objects }: { readonly name: string; readonly objects: string }, ids: readonly string[]) => ({
    name,
    objects,
    topic: ids.join(' '),
  });
  const within = [
    ...narrower.map((view) => toLink(view, [view.id, ...skillIds])),
    ...skills.map((view) => toLink(view, [...form.topic, view.id])),
  ];
  const current = browsed.within.at(-1);
  if (current === undefined) return { path: [], here: '', within };
  const path = [{ id: EVERY_TOPIC, name: t('browse.everything') }, ...broader];
  return {
    path: path.map(({ id, name }) => toLink({ name, objects: '' }, [id])),
    here: nameTopic(current, locale),
    within,
  };
}
