import type { ObjectDifference } from '#domain/object-differences';
import { findLanguageName } from '../words/language-names.ts';
import { type ObjectWords, writeLengthFact, writeTypeFact } from './facts.ts';

/** What another object does not share with one, in the reader's words:
 *  `20 min longer · in English`. Empty where all that is known is alike. */
export function writeObjectDifferences(
  differences: readonly ObjectDifference[],
  words: ObjectWords,
): readonly string[] {
  return differences.map((difference) => write(difference, words));
}

function write(difference: ObjectDifference, words: ObjectWords): string {
  const { t, locale } = words;
  switch (difference.kind) {
    case 'language':
      return t('learningObject.differences.language', {
        language: findLanguageName(difference.lang, locale),
      });
    case 'level':
      return t(`learningObject.differences.${difference.isHarder ? 'harder' : 'easier'}`);
    case 'type':
      return t('learningObject.differences.type', {
        type: difference.types.map((type) => writeTypeFact(type, t)).join(', '),
      });
    case 'price':
      return t(
        `learningObject.differences.${difference.isFree === null ? 'priceUnknown' : difference.isFree ? 'free' : 'paid'}`,
      );
    default: {
      const length = writeLengthFact(Math.abs(difference.minutes), words);
      return t(`learningObject.differences.${difference.minutes > 0 ? 'longer' : 'shorter'}`, { length });
    }
  }
}
