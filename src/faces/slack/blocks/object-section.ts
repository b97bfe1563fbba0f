import type { LearningObject } from '#domain/learning-object';
import type { ObjectWords } from '#faces/object-view/facts';
import { toObjectView, writeObjectViewLine } from '#faces/object-view/object-view';
import { type KnownBlock, picture, section } from './block-kit.ts';
import { cutText, escapeMrkdwn, linkTitle, toOneLine } from './text.ts';

export interface ObjectSectionOptions {
  /** Characters of its description; 0 shows none. */
  readonly maxDescription: number;
  /** Characters of its title; 150 when absent. */
  readonly maxTitle?: number;
  /** Characters of its facts; 250 when absent. */
  readonly maxFacts?: number;
  /** Below it, plain text. */
  readonly remark?: string | undefined;
}

const MAX_REMARK = 120;
/** Of a title within a sentence. */
const MAX_NAMED_TITLE = 60;

export function objectSection(
  object: LearningObject,
  { maxDescription, maxTitle, maxFacts = 250, remark = '' }: ObjectSectionOptions,
  words: ObjectWords,
): KnownBlock {
  const view = toObjectView(object, words);
  const lines = [
    linkTitle(object.url, object.title, maxTitle),
    quote(writeObjectViewLine(view, words.t), maxFacts),
    maxDescription === 0 ? '' : quote(object.description ?? '', maxDescription),
    quote(remark, MAX_REMARK),
  ];
  const altText = words.t('slackLearn.picture', { title: shortenObjectTitle(object) });
  return section(
    lines.filter((line) => line !== '').join('\n'),
    picture(view.picture?.plain ?? null, altText) ?? undefined,
  );
}

export const shortenObjectTitle = ({ title }: LearningObject): string => cutText(toOneLine(title), MAX_NAMED_TITLE);

const quote = (text: string, max: number): string => cutText(escapeMrkdwn(toOneLine(text)), max);
