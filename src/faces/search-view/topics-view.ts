import { OTHER_FIELD, type Topic } from '#domain/catalog';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import type { CountedTopic } from '#ports/learning-service';
import type { Browsed } from '#services/searching/browsing';
import { capitalise, type ObjectWords } from '../object-view/facts.ts';
import { findLanguageWord } from '../words/language-names.ts';

export type TopicView = ReturnType<typeof toTopicView>;
export type FieldView = ReturnType<typeof toTopicFieldViews>[number];
export type SkillView = ReturnType<typeof toTopicSkillViews>[number];

export const nameTopic = ({ labels }: Topic, locale: string): string =>
  capitalise(labels[locale] ?? labels.en ?? Object.values(labels)[0] ?? '');

/** The broad fields by code, that of all others at the end; each with its narrower ones. */
export function toTopicFieldViews(topics: readonly CountedTopic[], locale: string) {
  const fields = topics.filter(({ kind }) => kind === 'field').toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const broad = fields.filter(({ within }) => within.length === 0);
  const inOrder = [...broad.filter(({ id }) => id !== OTHER_FIELD), ...broad.filter(({ id }) => id === OTHER_FIELD)];
  return inOrder.map((field) => ({
    ...toTopicView(field, locale),
    narrower: fields.filter(({ within }) => within.includes(field.id)).map((each) => toTopicView(each, locale)),
  }));
}

/** The most frequent skills in the reader's language, then the others, each with the number of its
 *  objects in that language, or of all if there are none. @param field of this field alone */
export function toTopicSkillViews(
  topics: readonly CountedTopic[],
  { locale, field, most }: { readonly locale: string; readonly field?: string | undefined; readonly most?: number },
) {
  const skills: CountedTopic[] = [];
  // There are thousands, of which a page shows the first few.
  for (const topic of topics) {
    if (skills.length === most) break;
    if (topic.kind === 'skill' && (field === undefined || isTopicInField(topic.within, field))) skills.push(topic);
  }
  return skills.map((each) => ({
    ...toTopicView({ ...each, objects: each.preferred || each.objects }, locale),
    isSpoken: each.preferred > 0,
  }));
}

/** The total, and how many are in the preferred language if none is chosen. */
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

/** A skill names its narrow fields; the codes of broad ones are their beginnings. */
const isTopicInField = (within: readonly string[], field: string) => within.some((id) => id.startsWith(field));

const toTopicView = (topic: CountedTopic, locale: string) => ({
  id: topic.id,
  name: nameTopic(topic, locale),
  objects: topic.objects.toLocaleString(locale),
});
