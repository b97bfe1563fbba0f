import { randomBytes } from 'node:crypto';
import { normalizeObjectAddress } from '#domain/learning-object';
import { type PlanContent, type PlanItem, type PlanSection, planLimits } from '#domain/plan';
import { cleanText } from '#domain/text';
import { AppError, type Problem } from '#errors';
import type { ShelfCandidate } from '../shelf.ts';

/** A change of a plan. Places count from 0; an absent place, or one beyond the end, is the end. */
export type PlanChange =
  | { readonly kind: 'describe'; readonly name?: string; readonly expectedHours?: number | null }
  | { readonly kind: 'add-section'; readonly title: string; readonly place?: number }
  | ({ readonly kind: 'change-section'; readonly section: string } & Partial<
      Pick<PlanSection, 'title' | 'text' | 'hours'>
    >)
  | { readonly kind: 'move-section'; readonly section: string; readonly place: number }
  | { readonly kind: 'remove-section'; readonly section: string }
  | ({ readonly kind: 'change-item'; readonly item: string } & Partial<Pick<PlanItem, 'note' | 'isGraded'>>)
  | { readonly kind: 'move-item'; readonly item: string; readonly section: string; readonly place?: number }
  | { readonly kind: 'remove-item'; readonly item: string }
  // Objects come from a search, never from a request.
  | { readonly kind: 'add-items'; readonly section: string; readonly objects: readonly ShelfCandidate[] }
  | { readonly kind: 'replace-item'; readonly item: string; readonly object: ShelfCandidate };

const createPlanPartId = (): string => randomBytes(6).toString('base64url');

const newItem = { skill: null, note: '', isGraded: false, replaced: [] };
const newSection = { text: '', hours: null, items: [], uncovered: [] };

export function makePlanItem({ object, requestId }: ShelfCandidate, details: Partial<PlanItem> = {}): PlanItem {
  return { ...newItem, id: createPlanPartId(), object, requestId, ...details };
}

export function makePlanSection(title: string, details: Partial<PlanSection> = {}): PlanSection {
  return { ...newSection, id: createPlanPartId(), title, ...details };
}

/** Errors: PARAMETERS_INVALID for an unknown section or item, and for values beyond the limits. */
export const changePlanContent = (plan: PlanContent, change: PlanChange): PlanContent =>
  checkPlanContent(applyPlanChange(plan, change));

function applyPlanChange(plan: PlanContent, change: PlanChange): PlanContent {
  switch (change.kind) {
    case 'describe': {
      const { name = plan.name, expectedHours = plan.expectedHours } = change;
      return { ...plan, name, expectedHours };
    }
    case 'add-section':
      return { ...plan, sections: insertInPlan(plan.sections, makePlanSection(change.title), change.place) };
    case 'move-item': {
      const item = getPlanItem(plan, change.item);
      const without = removePlanItem(plan, item);
      return changePlanSection(without, change.section, ({ items }) => ({
        items: insertInPlan(items, item, change.place),
      }));
    }
    case 'remove-item':
      return removePlanItem(plan, getPlanItem(plan, change.item));
    case 'change-item': {
      const item = getPlanItem(plan, change.item);
      const { note = item.note, isGraded = item.isGraded } = change;
      return putPlanItem(plan, { ...item, note, isGraded });
    }
    case 'replace-item': {
      const item = getPlanItem(plan, change.item);
      const replaced = [...item.replaced, normalizeObjectAddress(item.object.url)].slice(-MAX_REPLACED);
      const { object, requestId } = change.object;
      return putPlanItem(plan, { ...item, object, requestId, replaced });
    }
    default:
      return applyPlanSectionChange(plan, change);
  }
}

type SectionChange = Exclude<Extract<PlanChange, { readonly section: string }>, { readonly kind: 'move-item' }>;

function applyPlanSectionChange(plan: PlanContent, change: SectionChange): PlanContent {
  const section = getPlanSection(plan, change.section);
  const otherSections = plan.sections.filter(({ id }) => id !== section.id);
  switch (change.kind) {
    case 'change-section': {
      const { title = section.title, text = section.text, hours = section.hours } = change;
      return changePlanSection(plan, section.id, () => ({ title, text, hours }));
    }
    case 'move-section':
      return { ...plan, sections: insertInPlan(otherSections, section, change.place) };
    case 'remove-section':
      return { ...plan, sections: otherSections };
    case 'add-items':
      return changePlanSection(plan, section.id, ({ items }) => {
        const addressOf = ({ object }: ShelfCandidate) => normalizeObjectAddress(object.url);
        const present = new Set(items.map(addressOf));
        const newItems: PlanItem[] = [];
        for (const candidate of change.objects) {
          if (!present.has(addressOf(candidate))) newItems.push(makePlanItem(candidate));
          present.add(addressOf(candidate));
        }
        return { items: [...items, ...newItems] };
      });
  }
}

const MAX_REPLACED = 30;

const insertInPlan = <T>(list: readonly T[], element: T, place = list.length): readonly T[] =>
  list.toSpliced(Math.max(0, Math.trunc(place)), 0, element);

function changePlanSection(plan: PlanContent, id: string, change: (section: PlanSection) => Partial<PlanSection>) {
  const section = getPlanSection(plan, id);
  const changed = { ...section, ...change(section) };
  return { ...plan, sections: plan.sections.map((each) => (each === section ? changed : each)) };
}

const mapPlanItems = (plan: PlanContent, change: (items: readonly PlanItem[]) => readonly PlanItem[]): PlanContent => ({
  ...plan,
  sections: plan.sections.map((section) => ({ ...section, items: change(section.items) })),
});

const removePlanItem = (plan: PlanContent, { id }: PlanItem) =>
  mapPlanItems(plan, (items) => items.filter((each) => each.id !== id));

const putPlanItem = (plan: PlanContent, item: PlanItem) =>
  mapPlanItems(plan, (items) => items.map((each) => (each.id === item.id ? item : each)));

function getPlanSection({ sections }: PlanContent, id: string): PlanSection {
  const section = sections.find((each) => each.id === id);
  return section ?? refusePlan([{ path: 'section', problem: 'is not in the plan' }]);
}

/** Errors: PARAMETERS_INVALID. */
export function getPlanItem({ sections }: PlanContent, id: string): PlanItem {
  const item = sections.flatMap(({ items }) => items).find((each) => each.id === id);
  return item ?? refusePlan([{ path: 'item', problem: 'is not in the plan' }]);
}

function refusePlan(problems: readonly Problem[]): never {
  const list = problems.map(({ path, problem }) => `${path} ${problem}`).join('; ');
  throw new AppError('PARAMETERS_INVALID', `The plan was not changed: ${list}. Correct this.`, { problems });
}

/** Cleans the texts and checks all values, their types as well, as they come from forms and
 *  programs. Errors: PARAMETERS_INVALID with every problem. */
export function checkPlanContent(plan: PlanContent): PlanContent {
  const problems: Problem[] = [];
  const checkField = (path: string, isGood: boolean, problem: string) => {
    if (!isGood) problems.push({ path, problem });
  };
  const checkText = (path: string, value: unknown, max: number) => {
    checkField(path, typeof value === 'string' && value.length <= max, `must be a text of at most ${max} characters`);
    return typeof value === 'string' ? value.split(/\r?\n/).map(cleanText).join('\n').trim() : '';
  };
  const checkLine = (path: string, value: unknown, max: number) => checkText(path, value, max).replaceAll('\n', ' ');
  const checkHours = (path: string, value: unknown) => {
    const isGood = value === null || (typeof value === 'number' && value >= 0 && value <= planLimits.hours);
    checkField(path, isGood, `must be hours from 0 to ${planLimits.hours}`);
  };
  const checkSection = (section: PlanSection): PlanSection => {
    checkHours('hours', section.hours);
    const title = checkLine('title', section.title, planLimits.sectionTitle);
    const text = checkText('text', section.text, planLimits.sectionText);
    const items = section.items.map((item) => {
      checkField('isGraded', typeof item.isGraded === 'boolean', 'must be true or false');
      return { ...item, note: checkText('note', item.note, planLimits.note) };
    });
    return { ...section, title, text, items };
  };
  const name = checkLine('name', plan.name, planLimits.name);
  checkField('name', name !== '', 'must not be empty');
  checkHours('expectedHours', plan.expectedHours);
  checkField('expectedHours', Number.isInteger(plan.expectedHours ?? 0), 'must be a whole number');
  const checked = { ...plan, name, sections: plan.sections.map(checkSection) };
  const count = plan.sections.reduce((sum, { items }) => sum + items.length, 0);
  checkField('sections', plan.sections.length <= planLimits.sections, `must be at most ${planLimits.sections}`);
  checkField('items', count <= planLimits.items, `must be at most ${planLimits.items}`);
  const size = Buffer.byteLength(JSON.stringify(checked));
  checkField('plan', size <= planLimits.kilobytes * 1_024, `must take at most ${planLimits.kilobytes} kB`);
  return problems.length === 0 ? checked : refusePlan(problems);
}
