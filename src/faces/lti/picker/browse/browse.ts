import type { SearchDefaults } from '#domain/tenant';
import type { LtiFaceDeps } from '#faces/lti/deps';
import type { LaunchContext } from '#faces/lti/route';
import {
  createSearchForm,
  EVERY_TOPIC,
  type SearchForm,
  toBrowseRequest,
} from '#faces/search-view/search-form';
import {
  type FieldView,
  nameTopic,
  type TopicView,
  toFieldViews,
  toSkillViews,
  writeBrowsedCount,
} from '#faces/search-view/topics-view';
import type { Browsed } from '#services/searching/browsing';
import { type Card, readCards } from '../cards.ts';

export type BrowseDeps = Pick<LtiFaceDeps, 'keyring' | 'shelf' | 'browsingOf'>;

/** Where to go on from an empty search field. */
export interface BrowseStart {
  /** Empty where the tenant's service can only be searched for words. */
  readonly fields: readonly FieldView[];
  readonly skills: readonly TopicView[];
  /** What colleagues put into most courses. */
  readonly used: readonly Card[];
}

/** A way to or from topics, as the search form takes them. */
interface TopicLink {
  readonly name: string;
  /** Ids, separated by blanks. */
  readonly topic: string;
  readonly objects: string;
}

/** A page of what is browsed, in the picker. */
export interface BrowsedView {
  readonly count: string;
  readonly cards: readonly Card[];
  readonly nextPage: number | null;
  readonly facets: Browsed['facets'];
  /** The topics around, from everything on. */
  readonly path: readonly TopicLink[];
  /** Where it is now; empty for everything. */
  readonly here: string;
  /** Topics within. */
  readonly within: readonly TopicLink[];
}

const MOST_SKILLS = 12;
const MOST_USED = 3;

export async function readBrowseStart(
  deps: BrowseDeps,
  context: LaunchContext,
  defaults: SearchDefaults,
): Promise<BrowseStart> {
  const { launch, locale, signal } = context;
  const browsing = deps.browsingOf(launch.tenantId);
  const [found, used] = await Promise.all([
    browsing.browse(toBrowseRequest(createSearchForm(defaults), defaults, locale), { signal }),
    browsing.listUsed('most'),
  ]);
  const sources = used.slice(0, MOST_USED).map(({ object }) => ({ object, requestId: null }));
  return {
    fields: toFieldViews(found?.topics ?? [], locale),
    skills: toSkillViews(found?.topics ?? [], { locale, most: MOST_SKILLS }),
    used: await readCards(sources, deps, context),
  };
}

/** What the choices leave without words; null where the tenant's service can only be searched for
 *  words.
 *  Errors: PROVIDER_UNKNOWN, and those of `TenantAnswers`. */
export async function readBrowsed(
  deps: BrowseDeps,
  context: LaunchContext,
  { form, defaults }: { readonly form: SearchForm; readonly defaults: SearchDefaults },
): Promise<BrowsedView | null> {
  const { launch, locale, signal, t } = context;
  const request = toBrowseRequest(form, defaults, locale);
  const found = await deps.browsingOf(launch.tenantId).browse(request, { signal });
  if (found === null) return null;
  const { totalItems, hasMore } = found;
  return {
    count: totalItems === 0 ? t('browse.nothing') : writeBrowsedCount(found, request.query, context),
    cards: await readCards(found.items, deps, context),
    nextPage: hasMore ? form.page + 1 : null,
    facets: found.facets,
    ...toTopicLinks(found, form, context),
  };
}

function toTopicLinks(
  { within, topics }: Browsed,
  form: SearchForm,
  { locale, t }: LaunchContext,
): Pick<BrowsedView, 'path' | 'here' | 'within'> {
  const field = within.findLast(({ kind }) => kind === 'field');
  const fields = toFieldViews(topics, locale);
  const skills = within.filter(({ kind }) => kind === 'skill').map(({ id }) => id);
  const broad = fields.filter(({ id }) => field?.within.includes(id) === true);
  const around = [
    ...broad,
    ...within.slice(0, -1).map((topic) => ({ id: topic.id, name: nameTopic(topic, locale) })),
  ];
  const narrower =
    field !== undefined
      ? fields.find(({ id }) => id === field.id)?.narrower
      : skills.length === 0
        ? fields
        : [];
  const moreSkills = toSkillViews(
    topics.filter(({ id }) => !skills.includes(id)),
    { locale, field: field?.id, most: MOST_SKILLS },
  );
  const last = within.at(-1);
  return {
    path:
      last === undefined
        ? []
        : [
            { name: t('browse.everything'), topic: EVERY_TOPIC, objects: '' },
            ...around.map(({ id, name }) => ({ name, topic: id, objects: '' })),
          ],
    here: last === undefined ? '' : nameTopic(last, locale),
    within: [
      ...(narrower ?? []).map(({ id, name, objects }) => ({
        name,
        objects,
        topic: [id, ...skills].join(' '),
      })),
      ...moreSkills.map(({ id, name, objects }) => ({ name, objects, topic: [...form.topic, id].join(' ') })),
    ],
  };
}
