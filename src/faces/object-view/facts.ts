import { bloomObjectives, learningObjectTypes, type Price } from '#domain/learning-object';
import { toLevelStep } from '#domain/learning-object-query';
import type { ObjectDifference } from '#domain/object-differences';
import { factNames, type ObjectFacts, type ObjectMark, writeFactTexts } from '#domain/object-facts';
import type { ObjectPictures } from '#domain/picture';
import { findLicenseRights, linkLicense, nameLicense } from '#domain/rights/licences';
import { parseWebAddress } from '#domain/web-address';
import type { ObjectUse } from '#services/courses/placements/object-uses';
import type { Translate } from '../words/i18n.ts';
import { findLanguageName } from '../words/language-names.ts';

export interface ObjectWords {
  readonly t: Translate;
  readonly locale: string;
  readonly pictures?: ObjectPictures;
}

const MINUTES_PER_HOUR = 60;
const typeNames: ReadonlySet<string> = new Set(learningObjectTypes);
const objectiveNames: ReadonlySet<string> = new Set(bloomObjectives);

export const hasTypeName = (type: string) => typeNames.has(type);

export const writeMark = (mark: ObjectMark, t: Translate): string =>
  t(`search.filters.${mark === 'captions' ? 'accessChoices' : 'rightsChoices'}.${mark}`);

/** Names a type; one of an upstream that has no translation is shown as it is. */
export const writeTypeFact = (type: string, t: Translate): string =>
  hasTypeName(type) ? t(`types.${type}`) : capitalise(type);

/** Names an objective; one of an upstream that has no translation is shown as it is. */
export const writeBloomFact = (objective: string, t: Translate): string =>
  objectiveNames.has(objective) ? t(`learningObject.bloom.${objective}`) : capitalise(objective);

export const writeLevelFact = (level: number, t: Translate): string => t(`learningObject.levels.${toLevelStep(level)}`);

/** Writes a length in words: `45 min`, `1 h 30`, `42 h`. */
export function writeLengthFact(minutes: number, { t, locale }: ObjectWords): string {
  const total = Math.max(1, Math.round(minutes));
  const hours = Math.floor(total / MINUTES_PER_HOUR);
  const restMinutes = total % MINUTES_PER_HOUR;
  if (hours === 0) return t('learningObject.minutes', { minutes: restMinutes });
  const hoursText = hours.toLocaleString(locale);
  if (restMinutes === 0) return t('learningObject.hours', { hours: hoursText });
  return t('learningObject.hoursMinutes', { hours: hoursText, minutes: restMinutes });
}

/** Writes a range of lengths in words; null if it has no limits. @param range limits in minutes */
export function writeLengthRange(range: Readonly<Record<'min' | 'max', number | null>>, words: ObjectWords) {
  const [min, max] = [range.min, range.max].map((minutes) => minutes && writeLengthFact(minutes, words));
  if (min && max) return words.t('search.filters.span', { min, max });
  if (max) return words.t('search.filters.upTo', { max });
  return min ? words.t('search.filters.atLeast', { min }) : null;
}

/** Writes a price: `Free` even if there is a paid version, `Paid` if the amount is unknown. */
export function writePriceFact({ free, amount, currency }: Price, { t, locale }: ObjectWords): string {
  if (free) return t('learningObject.free');
  if (amount === undefined) return t('learningObject.paid');
  const number = amount.toLocaleString(locale, {
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 2,
  });
  return currency === undefined ? number : t('learningObject.amount', { amount: number, currency });
}

/** Writes how courses use an object: `Used in 3 courses`, `80% found it useful`. */
export function listUseFacts(use: ObjectUse | undefined, { t, locale }: ObjectWords): readonly string[] {
  if (use === undefined) return [];
  const { courses, helpful } = use;
  const share = helpful?.toLocaleString(locale, { style: 'percent' });
  return [
    t('learningObject.uses.courses', { count: courses, total: courses.toLocaleString(locale) }),
    ...(share === undefined ? [] : [t('learningObject.uses.helpful', { share })]),
  ];
}

/** `href` leads to a licence or concept, and `says` explains a licence. */
type FactView = { readonly value: string; readonly href: string | null; readonly says?: string };

/** Lists the stated facts in the order of their table. Without a licence, one fact says so. */
export function listFacts(facts: ObjectFacts, t: Translate) {
  const texts = writeFactTexts(facts);
  return factNames.flatMap((name) => {
    const label = t(`learningObject.facts.${name}`);
    if (name === 'license') return [{ label, values: [writeLicenseFact(facts.license, t)] }];
    const values: readonly FactView[] =
      name === 'teaches'
        ? (facts.teaches ?? []).map(({ uri = '', label = uri }) => ({ value: label, href: parseWebAddress(uri) }))
        : (texts[name] ?? []).map((value) => ({ value, href: null }));
    return values.length === 0 ? [] : [{ label, values }];
  });
}

function writeLicenseFact(license: string | undefined, t: Translate): FactView {
  if (license === undefined) return { value: t('learningObject.rights.notStated'), href: null };
  const rights = findLicenseRights(license);
  const says = [
    rights === null ? '' : t(`learningObject.rights.${rights.mayAdapt ? 'mayAdapt' : 'mayShare'}`),
    rights === null || rights.commercial ? '' : t('learningObject.rights.nonCommercial'),
  ];
  return { value: nameLicense(license), href: linkLicense(license), says: says.filter(Boolean).join(' ') };
}

export const capitalise = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Writes differences between objects in the reader's words: `20 min longer`, `in English`. */
export const writeObjectDifferences = (differences: readonly ObjectDifference[], words: ObjectWords) =>
  differences.map((difference) => writeFactDifference(difference, words));

function writeFactDifference(difference: ObjectDifference, words: ObjectWords): string {
  const { t, locale } = words;
  const translate = (name: string, values?: object) => t(`learningObject.differences.${name}`, { ...values });
  switch (difference.kind) {
    case 'language':
      return translate('language', { language: findLanguageName(difference.lang, locale) });
    case 'level':
      return translate(difference.isHarder ? 'harder' : 'easier');
    case 'type':
      return translate('type', { type: difference.types.map((type) => writeTypeFact(type, t)).join(', ') });
    case 'price':
      if (difference.isFree === null) return translate('priceUnknown');
      return translate(difference.isFree ? 'free' : 'paid');
    default: {
      const length = writeLengthFact(Math.abs(difference.minutes), words);
      return translate(difference.minutes > 0 ? 'longer' : 'shorter', { length });
    }
  }
}
