import { type LearningObject, toLearningMinutes } from '#domain/learning-object';
import { hasCaptions } from '#domain/object-facts';
import { nameLicense } from '#domain/rights/licences';
import { findSiteEmbedding, findSitePictureSource } from '#domain/sites/sites';
import type { Highlight } from '#ports/learning-service';
import { joinNames, type Translate } from '../words/i18n.ts';
import { findLanguageName } from '../words/language-names.ts';
import {
  hasTypeName,
  listFacts,
  type ObjectWords,
  writeBloomFact,
  writeLengthFact,
  writeLevelFact,
  writePriceFact,
  writeTypeFact,
} from './facts.ts';

/** A learning object in the reader's words; unknown values are null or empty. */
export type ObjectView = ReturnType<typeof toObjectView>;

const MAX_NAMES = 3;
const NO_HIGHLIGHT: Highlight = { title: [], description: [] };

export function toObjectView(object: LearningObject, words: ObjectWords, highlight = NO_HIGHLIGHT) {
  const { t, locale, pictures } = words;
  const { lang, level, price } = object;
  const source = findSitePictureSource(object) ?? pictures?.findOfPage?.(object.url) ?? null;
  const minutes = toLearningMinutes(object.learningTime);
  return {
    url: object.url,
    title: object.title,
    titlePieces: cutObjectText(object.title, highlight.title),
    descriptionPieces: cutObjectText(object.description ?? '', highlight.description),
    // For the attribute `lang` of the title and the description.
    lang: lang?.slice(0, 2) ?? null,
    picture: source === null ? null : (pictures?.linkTo(source) ?? null),
    // Whether it can be looked at without leaving the page.
    isPlayable: findSiteEmbedding(object) !== null,
    // The type and the subject for the cover of an object without a picture.
    kind: object.type.find(hasTypeName) ?? 'other',
    field: object.field,
    provider: object.provider ?? null,
    by: nameMakers(object, locale),
    authors: object.author.join(', '),
    publishers: object.publisher.join(', '),
    types: object.type.map((type) => writeTypeFact(type, t)),
    level: level === undefined ? null : writeLevelFact(level, t),
    length: minutes === undefined ? null : writeLengthFact(minutes, words),
    price: price === undefined ? null : writePriceFact(price, words),
    isFree: price?.free === true,
    language: lang === undefined ? null : findLanguageName(lang, locale),
    bloom: object.bloom.map((objective) => writeBloomFact(objective, t)),
    place: object.address ?? null,
    license: object.license === undefined ? null : nameLicense(object.license),
    hasCaptions: hasCaptions(object),
    // The year of the last change.
    year: (object.modified ?? object.published)?.slice(0, 4) ?? null,
    facts: listFacts(object, t),
  };
}

/** Writes the facts about an object in one line:
 *  `YouTube · Video · Easy · 10 min · Free · CC BY 4.0 · English · 2025`. */
export function writeObjectViewLine(view: ObjectView, t: Translate): string {
  const { provider, types, level, length, price, license, language, place, year } = view;
  const captions = view.hasCaptions && t('learningObject.rights.captions');
  const facts = [provider, types.join(', '), level, length, price, license, captions, language, place, year];
  return facts.filter(Boolean).join(' · ');
}

function nameMakers({ author, publisher, provider }: LearningObject, locale: string): string {
  const names = (author.length > 0 ? author : publisher).slice(0, MAX_NAMES);
  if (names.length === 1 && names[0] === provider) return '';
  return joinNames(names, locale, 'unit');
}

/** Cuts a text into pieces, of which those with `isMatch` are in the ranges. */
function cutObjectText(text: string, ranges: Highlight['title']) {
  const pieces: { readonly text: string; readonly isMatch: boolean }[] = [];
  let end = 0;
  for (const [from, to] of ranges) {
    if (from > end) pieces.push({ text: text.slice(end, from), isMatch: false });
    pieces.push({ text: text.slice(from, to), isMatch: true });
    end = to;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMatch: false });
  return pieces;
}
