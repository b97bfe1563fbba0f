import { OTHER_FIELD, type Topic } from '#domain/catalog';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import type { CountedTopic } from '#ports/learning-service';
import type { Browsed } from '#services/searching/browsing';
import { capitalise, type ObjectWords } from '../object-view/facts.ts';
import { findLanguageWord } from '../words/language-names.ts';

export type SkillView = ReturnType<typeof toTopicSkillViews>[number];

export const nameTopic = ({ labels }: Topic, locale: string): string =>
  capitalise(labels[locale] ?? labels.en ?? Object.values(labels)[0] ?? '');

/** Lists the broad fields by code, the field for all others last, each with its narrower fields. */
export function toTopicFieldViews(topics: readonly CountedTopic[], locale: string) {
  const fields = topics.filter(({ kind }) => kind === 'field').toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const broad = fields.filter(({ within }) => within.length === 0);
  const inOrder = [...broad.filter(({ id }) => id !== OTHER_FIELD), ...broad.filter(({ id }) => id === OTHER_FIELD)];
  return inOrder.map((field) => ({
    ...toTopicView(field, locale),
    narrower: fields.filter(({ within }) => within.includes(field.id)).map((each) => toTopicView(each, locale)),
  }));
}

/** Lists skills in the order of `topics`, each with the number of its objects in the reader's
 *  language, or of all its objects if there are none. @param field lists only its skills */
export function toTopicSkillViews(
  topics: readonly CountedTopic[],
  { locale, field, max }: { readonly locale: string; readonly field?: string | undefined; readonly max?: number },
) {
  const skills: CountedTopic[] = [];
  // Stops early, as there are thousands of topics.
  for (const topic of topics) {
    if (skills.length === max) break;
    if (topic.kind === 'skill' && (field === undefined || isTopicInField(topic.within, field))) skills.push(topic);
  }
  return skills.map((skill) => ({
    ...toTopicView({ ...skill, objects: skill.preferred || skill.objects }, locale),
    isSpoken: skill.preferred > 0,
  }));
}

/** Finds the ways from browsed topics: broader topics, narrower fields, and at most `max` skills to
 *  add. `skillIds` are those of the browsed skills, which stay when a field is chosen. */
export function toTopicWays(
  { within, topics }: Pick<Browsed, 'within' | 'topics'>,
  { locale, max = Number.POSITIVE_INFINITY }: { readonly locale: string; readonly max?: number },
) {
  const fields = toTopicFieldViews(topics, locale);
  const field = within.findLast(({ kind }) => kind === 'field');
  const skillIds = within.filter(({ kind }) => kind === 'skill').map(({ id }) => id);
  const outermost = skillIds.length === 0 ? fields : [];
  const otherTopics = topics.filter(({ id }) => !skillIds.includes(id));
  return {
    skillIds,
    broader: [
      ...fields.filter(({ id }) => field?.within.includes(id)),
      ...within.slice(0, -1).map((topic) => ({ id: topic.id, name: nameTopic(topic, locale) })),
    ],
    narrower: field === undefined ? outermost : (fields.find(({ id }) => id === field.id)?.narrower ?? []),
    skills: toTopicSkillViews(otherTopics, { locale, field: field?.id, max }),
  };
}

/** Writes the total, and the number in the preferred language unless a language is chosen. */
export function writeTopicCount(
  { totalItems, facets }: Pick<Browsed, 'totalItems' | 'facets'>,
  { lang, prefer = '' }: Pick<LearningObjectQuery, 'lang' | 'prefer'>,
  { t, locale }: ObjectWords,
): string {
  const spoken = facets.lang.get(prefer) ?? 0;
  const count = t('browse.count', { count: totalItems, total: totalItems.toLocaleString(locale) });
  if (lang !== undefined || spoken === 0 || spoken === totalItems) return count;
  const language = findLanguageWord(prefer, locale);
  return `${count}${t('browse.spoken', { spoken: spoken.toLocaleString(locale), language })}`;
}

/** The codes of narrow fields, which a skill names, begin with the code of their broad field. */
const isTopicInField = (within: readonly string[], field: string) => within.some((id) => id.startsWith(field));

const toTopicView = (topic: CountedTopic, locale: string) => ({
  id: topic.id,
  name: nameTopic(topic, locale),
  objects: topic.objects.toLocaleString(locale),
});
