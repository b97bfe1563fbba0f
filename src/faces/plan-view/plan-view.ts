import { normalizeObjectAddress } from '#domain/learning-object';
import { type Count, type LengthSum, type PlanItem, type PlanSection, summarizePlan } from '#domain/plan';
import { nameLicense } from '#domain/rights/licences';
import type { PlanRecord } from '#ports/store/store';
import type { Proposal } from '#services/searching/replacements';
import { type ObjectWords, writeLengthFact, writeObjectDifferences } from '../object-view/facts.ts';
import { toObjectView } from '../object-view/object-view.ts';
import { linkSkillPage, type SkillPages } from '../object-view/skill-address.ts';
import { findLanguageName } from '../words/language-names.ts';
import { planFormats } from './documents.ts';

/** Replacements for objects whose links are dead, by the id of the item. */
export type DeadLinks = ReadonlyMap<string, readonly Proposal[]>;
export type ViewedPlan = Pick<PlanRecord, 'id' | 'name' | 'expectedHours' | 'sections' | 'shareToken'>;
type PlanWords = ObjectWords & SkillPages;

export function toPlanView(plan: ViewedPlan, dead: DeadLinks, words: PlanWords) {
  const { expectedHours, sections } = plan;
  const { locale } = words;
  const summary = summarizePlan(plan);
  const { minutes } = summary.length;
  const skills = new Map(sections.flatMap(({ items }) => items.map((item) => [item.skill, linkSkill(item, words)])));
  const earlier = new Map<string, string>();
  return {
    ...plan,
    count: summary.items,
    length: writePlanSum(summary.length, words),
    // Share of the expected time in per cent; null if no time is expected.
    share: expectedHours ? Math.round((minutes / 60 / expectedHours) * 100) : null,
    languages: namePlanCounts(summary.languages, (lang) => findLanguageName(lang, locale)),
    licences: namePlanCounts(summary.licences, nameLicense),
    free: summary.free,
    paid: summary.paid,
    // A skill that is the heading of a section is on the page already.
    covered: summary.covered
      .filter((skill) => !sections.some(({ title }) => isPlanHeading(skill, title)))
      .map((skill) => skills.get(skill)),
    uncovered: summary.uncovered.map(({ section, skill }) => ({ section: section.title, skill })),
    sections: sections.map((section) =>
      toPlanSectionView(section, summary.lengths.get(section.id), { dead, words, earlier }),
    ),
    formats: planFormats,
  };
}

interface ViewScope {
  readonly dead: DeadLinks;
  readonly words: PlanWords;
  /** Titles of the first sections that have an object, by its normalized address. */
  readonly earlier: Map<string, string>;
}

/** Returns the skill of an item with the address of its page; null for an item without a skill. */
const linkSkill = ({ skill, skillUri }: PlanItem, words: PlanWords) =>
  skill && { label: skill, href: linkSkillPage(words, skillUri) };

/** Tells whether a skill is the title of a section: `Budget` is that of `Week 1: Budget`. */
const isPlanHeading = (skill: string, title: string) => title === skill || title.endsWith(`: ${skill}`);

function toPlanSectionView(section: PlanSection, length: LengthSum | undefined, scope: ViewScope) {
  const items = section.items.map((item) => toPlanItemView(item, section.title, scope));
  return { ...section, length: length === undefined ? null : writePlanSum(length, scope.words), items };
}

function toPlanItemView(item: PlanItem, section: string, { dead, words, earlier }: ViewScope) {
  const address = normalizeObjectAddress(item.object.url);
  const alsoIn = earlier.get(address) ?? null;
  if (alsoIn === null) earlier.set(address, section);
  return {
    ...item,
    skill: item.skill && isPlanHeading(item.skill, section) ? null : linkSkill(item, words),
    // The title of an earlier section that has the object, too.
    alsoIn,
    view: toObjectView(item.object, words),
    // Null unless the link is dead.
    replacements:
      dead.get(item.id)?.map(({ hit, differences }) => ({
        hit,
        view: toObjectView(hit.object, words),
        why: writeObjectDifferences(differences, words).join(' · ') || words.t('learningObject.differences.none'),
      })) ?? null,
  };
}

/** Writes `3 h 20`, or `at least 3 h 20` if some lengths are unknown; null if all are. */
function writePlanSum({ minutes, unknown }: LengthSum, words: ObjectWords): string | null {
  if (minutes === 0) return null;
  const length = writeLengthFact(minutes, words);
  return unknown === 0 ? length : words.t('plans.atLeast', { length });
}

const namePlanCounts = (counts: readonly Count[], nameOf: (value: string) => string) =>
  counts.map(({ value, count }) => ({ name: nameOf(value), count }));
