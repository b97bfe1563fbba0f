import { type ToolInput, type ToolOutput, writeToolObject } from '#contract/index';
import { planWishes, summarizePlan } from '#domain/plan';
import { toForeignText } from '#domain/text';
import { AppError } from '#errors';
import type { PlanRecord, ShelfOwner } from '#ports/store/store';
import { type PlanChange, readPlanLink, startPlanContent } from '#services/people/plans/plans';
import { findShelfObjects } from './shelf.ts';
import { requirePersonForTool, type Tool, type ToolAnswer, type ToolContext } from './tool.ts';

const PAGE_SIZE = 10;
const MAX_SKILLS = 12;
const PER_SKILL = 3;
const MAX_LINE = 200;
const MAX_NOTE = 400;
type Input = ToolInput<'my_plans'>;
type Answer = ToolAnswer<'my_plans'>;

export const myStoredPlans: Tool<'my_plans'> = async (context, input) => {
  const owner = requirePersonForTool(context);
  const { plans } = context.deps;
  switch (input.action) {
    case 'list':
      return listStoredPlans(context, owner, input.page);
    case 'read':
      if (input.link === undefined)
        return answerPlan(context, 'read', await plans.get(owner, requireInput(input, 'id')));
      return answerPlan(context, 'read', await plans.getShared(readPlanLink(input.link), owner.tenantId));
    case 'make':
      return answerPlan(context, 'made', await makeStoredPlan(context, owner, input));
    case 'copy':
      return answerPlan(context, 'made', await plans.copy(owner, readPlanLink(requireInput(input, 'link'))));
    case 'share':
      return answerPlan(context, 'shared', await plans.share(owner, requireInput(input, 'id'), true));
    case 'unshare':
      return answerPlan(context, 'unshared', await plans.share(owner, requireInput(input, 'id'), false));
    case 'remove':
      await plans.remove(owner, requireInput(input, 'id'));
      return { data: { done: 'removed' }, summary: context.t('assistantTools.planDone.removed') };
  }
};

/** Errors: PARAMETERS_INVALID if the input lacks a field. */
function requireInput<T extends object, K extends keyof T & string>(input: T, name: K): NonNullable<T[K]> {
  const value = input[name];
  if (value !== undefined && value !== null) return value as NonNullable<T[K]>;
  const problems = [{ path: name, problem: 'is required for this action' }];
  throw new AppError('PARAMETERS_INVALID', `For this action, ${name} is needed.`, { problems });
}

async function listStoredPlans({ deps, t }: ToolContext, owner: ShelfOwner, page: number): Promise<Answer> {
  const { items, total } = await deps.plans.list(owner, { page, pageSize: PAGE_SIZE });
  const plans = items.map((plan) => ({ ...writeHead(plan, deps.publicUrl), objects: summarizePlan(plan).items }));
  const summary = t('assistantTools.plans', { count: total });
  return { data: { done: 'listed', total, plans }, summary, short: () => plans.map(({ id, name }) => ({ id, name })) };
}

async function makeStoredPlan(context: ToolContext, owner: ShelfOwner, input: Input): Promise<PlanRecord> {
  const { deps, locale, signal } = context;
  const { name, text, objects } = input;
  if (text !== undefined) {
    const syllabus = { text, locale, maxSkills: MAX_SKILLS, perSkill: PER_SKILL };
    return deps.plans.makeFromText(owner, { ...syllabus, name }, { signal });
  }
  const hits = objects === undefined ? [] : (await findShelfObjects(context, objects)).objects;
  const candidates = hits.map((object) => ({ object, requestId: null }));
  return deps.plans.make(owner, startPlanContent(requireInput(input, 'name'), candidates));
}

type PlanDone = ToolOutput<'my_plans' | 'change_plan'>['done'];

function answerPlan<D extends PlanDone>({ deps, t }: ToolContext, done: D, record: PlanRecord) {
  const plan = writeStoredPlan(record, deps.publicUrl);
  return {
    data: { done, plan },
    summary: t(`assistantTools.planDone.${done}`),
    short: () => writeShortStoredPlan(plan),
  };
}

type WrittenPlan = ToolOutput<'change_plan'>['plan'];

function writeHead({ id, name, expectedHours, shareToken, sections }: PlanRecord, publicUrl: string) {
  return {
    id,
    name: toForeignText(name, MAX_LINE),
    ...(expectedHours !== null && { expected_hours: expectedHours }),
    minutes: summarizePlan({ sections }).length.minutes,
    ...(shareToken !== null && { link: `${publicUrl}/plans/${shareToken}` }),
  };
}

/** Writes a plan without the descriptions of its objects. */
const writeStoredPlan = (plan: PlanRecord, publicUrl: string): WrittenPlan => ({
  ...writeHead(plan, publicUrl),
  sections: plan.sections.map(({ id, title, hours, items, uncovered }) => ({
    id,
    title: toForeignText(title, MAX_LINE),
    ...(hours !== null && { hours }),
    items: items.map(({ object, skill, note, isGraded, ...item }) => {
      const { description: _, ...written } = writeToolObject(object);
      return {
        ...written,
        id: item.id,
        ...(skill !== null && { skill: toForeignText(skill, MAX_LINE) }),
        ...(note !== '' && { note: toForeignText(note, MAX_NOTE) }),
        ...(isGraded && { graded: true as const }),
      };
    }),
    ...(uncovered.length > 0 && { uncovered: uncovered.map((skill) => toForeignText(skill, MAX_LINE)) }),
  })),
});

const writeShortStoredPlan = ({ sections }: WrittenPlan) =>
  sections.map(({ id, title, items }) => ({ id, title, items: items.map((item) => ({ id: item.id, url: item.url })) }));

export const changeStoredPlan: Tool<'change_plan'> = async (context, input) => {
  const owner = requirePersonForTool(context);
  const { deps, signal } = context;
  const wish = planWishes.find((each) => each === input.action);
  if (wish === undefined) {
    const change = await readStoredPlanChange(context, input);
    return answerPlan(context, 'changed', await deps.plans.change(owner, input.id, change));
  }
  const lang = wish === 'language' ? requireInput(input, 'lang') : undefined;
  const wanted = { id: input.id, item: requireInput(input, 'item'), wish, lang };
  const { plan, replacement } = await deps.plans.improve(owner, wanted, signal);
  if (replacement === null) return answerPlan(context, 'nothing-better', plan);
  const answer = answerPlan(context, 'changed', plan);
  const object = writeToolObject(replacement.object, { requestId: replacement.requestId });
  return { ...answer, data: { ...answer.data, found: object } };
};

/** Errors: PARAMETERS_INVALID, OBJECT_UNKNOWN. */
async function readStoredPlanChange(context: ToolContext, input: ToolInput<'change_plan'>): Promise<PlanChange> {
  const placed = input.place === undefined ? {} : { place: input.place };
  switch (input.action) {
    case 'rename':
      return { kind: 'describe', name: requireInput(input, 'text') };
    case 'expect-hours':
      return { kind: 'describe', expectedHours: input.hours ?? null };
    case 'add-section':
      return { kind: 'add-section', title: requireInput(input, 'text'), ...placed };
    case 'rename-section':
      return { kind: 'change-section', section: requireInput(input, 'section'), title: requireInput(input, 'text') };
    case 'move-section':
      return { kind: 'move-section', section: requireInput(input, 'section'), place: requireInput(input, 'place') };
    case 'remove-section':
      return { kind: 'remove-section', section: requireInput(input, 'section') };
    case 'add-items': {
      const { objects } = await findShelfObjects(context, requireInput(input, 'objects'));
      const candidates = objects.map((object) => ({ object, requestId: null }));
      return { kind: 'add-items', section: requireInput(input, 'section'), objects: candidates };
    }
    case 'move-item':
      return {
        kind: 'move-item',
        item: requireInput(input, 'item'),
        section: requireInput(input, 'section'),
        ...placed,
      };
    case 'remove-item':
      return { kind: 'remove-item', item: requireInput(input, 'item') };
    case 'note':
      return { kind: 'change-item', item: requireInput(input, 'item'), note: input.text ?? '' };
    default:
      return { kind: 'change-item', item: requireInput(input, 'item'), isGraded: input.action === 'grade' };
  }
}
