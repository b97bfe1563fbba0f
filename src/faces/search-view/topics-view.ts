import { OTHER_FIELD, type Topic } from '../../domain/catalog.ts';
import type { CountedTopic } from '../../ports/learning-service.ts';
import { capitalise } from '../object-view/facts.ts';

/** A field or skill to browse, in the reader's words. */
export interface TopicView {
  readonly id: string;
  readonly name: string;
  /** How many objects there are. */
  readonly objects: string;
}

export interface FieldView extends TopicView {
  readonly narrower: readonly TopicView[];
}

export function nameTopic({ labels }: Topic, locale: string): string {
  return capitalise(labels[locale] ?? labels.en ?? Object.values(labels)[0] ?? '');
}

/** The broad fields in the order of their codes, that of all others at the end; each with those within it. */
export function toFieldViews(topics: readonly CountedTopic[], locale: string): readonly FieldView[] {
  const fields = topics.filter(({ kind }) => kind === 'field').toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const broad = fields.filter(({ within }) => within.length === 0);
  const inOrder = [
    ...broad.filter(({ id }) => id !== OTHER_FIELD),
    ...broad.filter(({ id }) => id === OTHER_FIELD),
  ];
  return inOrder.map((field) => ({
    ...toTopicView(field, locale),
    narrower: fields
      .filter(({ within }) => within.includes(field.id))
      .map((each) => toTopicView(each, locale)),
  }));
}

/** The skills that most objects are about.
 *  @param field of this field alone */
export function toSkillViews(
  topics: readonly CountedTopic[],
  {
    locale,
    field,
    most,
  }: { readonly locale: string; readonly field?: string | undefined; readonly most: number },
): readonly TopicView[] {
  return topics
    .filter(({ kind, within }) => kind === 'skill' && (field === undefined || isIn(within, field)))
    .slice(0, most)
    .map((each) => toTopicView(each, locale));
}

/** A skill names its narrow fields; the codes of broad ones are their beginnings. */
const isIn = (within: readonly string[], field: string) => within.some((id) => id.startsWith(field));

function toTopicView(topic: CountedTopic, locale: string): TopicView {
  return { id: topic.id, name: nameTopic(topic, locale), objects: topic.objects.toLocaleString(locale) };
}
