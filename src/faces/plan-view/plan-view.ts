import { type Count, type LengthSum, type PlanItem, type PlanSection, summarizePlan } from '#domain/plan';
import { nameLicense } from '#domain/rights/licences';
import type { PlanRecord } from '#ports/store/store';
import type { Proposal } from '#services/searching/replacements';
import { type ObjectWords, writeLengthFact, writeObjectDifferences } from '../object-view/facts.ts';
import { toObjectView } from '../object-view/object-view.ts';
import { findLanguageName } from '../words/language-names.ts';
import { planFormats } from './documents.ts';

type DeadLinks = ReadonlyMap<string, readonly Proposal[]>;

/** @param dead proposals for the objects whose links are dead, by the id of the item */
export function toPlanView(plan: PlanRecord, dead: DeadLinks, words: ObjectWords) {
  const { id, name, expectedHours, sections, shareToken } = plan;
  const { locale } = words;
  const summary = summarizePlan(plan);
  const { minutes } = summary.length;
  return {
    id,
    name,
    shareToken,
    expectedHours,
    count: summary.items,
    length: writeSum(summary.length, words),
    // Of the expected time, in per cent; null where no time is expected.
    share: expectedHours ? Math.round((minutes / 60 / expectedHours) * 100) : null,
    languages: nameCounts(summary.languages, (lang) => findLanguageName(lang, locale)),
    licences: nameCounts(summary.licences, nameLicense),
    free: summary.free,
    paid: summary.paid,
    covered: summary.covered,
    uncovered: summary.uncovered.map(({ section, skill }) => ({ section: section.title, skill })),
    sections: sections.map((section) => toSectionView(section, summary.lengths.get(section.id), { dead, words })),
    formats: planFormats,
  };
}

interface ViewScope {
  readonly dead: DeadLinks;
  readonly words: ObjectWords;
}

function toSectionView(section: PlanSection, length: LengthSum | undefined, scope: ViewScope) {
  const { id, title, text, hours, items, uncovered } = section;
  const sum = length === undefined ? null : writeSum(length, scope.words);
  return { id, title, text, hours, length: sum, uncovered, items: items.map((item) => toItemView(item, scope)) };
}

function toItemView({ id, object, note, isGraded, skill }: PlanItem, { dead, words }: ViewScope) {
  const proposals = dead.get(id);
  return {
    id,
    note,
    isGraded,
    skill,
    view: toObjectView(object, words),
    // Null for a link that works, as far as is known.
    replacements:
      proposals?.map(({ found, differences }) => ({
        found,
        view: toObjectView(found.object, words),
        why: writeObjectDifferences(differences, words).join(' · ') || words.t('learningObject.differences.none'),
      })) ?? null,
  };
}

/** `3 h 20`, `at least 3 h 20` where some objects do not state their length; null where none
 *  does. */
function writeSum({ minutes, unknown }: LengthSum, words: ObjectWords): string | null {
  if (minutes === 0) return null;
  const length = writeLengthFact(minutes, words);
  return unknown === 0 ? length : words.t('plans.atLeast', { length });
}

const nameCounts = (counts: readonly Count[], nameOf: (value: string) => string) =>
  counts.map(({ value, count }) => ({ name: nameOf(value), count }));
