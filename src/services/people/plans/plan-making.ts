import { type PlanContent, type PlanSection, planLimits } from '#domain/plan';
import type { PlanEvent } from '#services/searching/discovery';
import { makePlanItem, makePlanSection } from './plan-changes.ts';

type Section = { -readonly [F in keyof PlanSection]: PlanSection[F] };

/** From the events of `Discovery.planFromText`: a section for each week of a syllabus; for each skill
 *  of a text without weeks. */
export function createPlanDraft() {
  const sections: Section[] = [];
  const sectionOf = new Map<string, Section>();
  let lang: string | null = null;

  function begin({ skills, weeks, lang: textLang }: Extract<PlanEvent, { kind: 'skills' }>) {
    lang = textLang;
    const titles = weeks ?? skills.map(({ label }) => label);
    sections.push(...titles.slice(0, planLimits.sections).map((title) => ({ ...makePlanSection(cutLine(title)) })));
    for (const [index, { label, week }] of skills.entries()) {
      const section = sections[weeks === undefined ? index : (week ?? 0)];
      if (section !== undefined) sectionOf.set(label, section);
    }
  }

  function addObjects(event: Extract<PlanEvent, { kind: 'objects' | 'failed' }>) {
    const section = sectionOf.get(event.skill);
    if (section === undefined) return;
    const { items = [], uncovered = [] } = event.kind === 'objects' ? event : {};
    const missing = items.length === 0 ? [event.skill, ...uncovered] : uncovered;
    section.items = [...section.items, ...items.map((hit) => makePlanItem(hit, { skill: event.skill }))];
    section.uncovered = [...section.uncovered, ...missing].slice(0, planLimits.uncovered);
  }

  return {
    add(event: PlanEvent): void {
      if (event.kind === 'skills') begin(event);
      else if (event.kind !== 'done') addObjects(event);
    },
    finish: (name: string): PlanContent => ({ name, expectedHours: null, lang, sections }),
  };
}

const cutLine = (text: string) => text.slice(0, planLimits.sectionTitle);
