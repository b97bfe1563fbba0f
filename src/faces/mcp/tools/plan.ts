import type { ToolInput, ToolOutput } from '#contract/index';
import { toForeignText } from '#domain/text';
import { createPlanRequest, type PlanEvent, type PlannedSkill } from '#services/searching/discovery';
import type { LearningObjectHit } from '#services/searching/discovery/results';
import { type Tool, type ToolContext, writeToolResults } from './tool.ts';

const MAX_TITLE_LENGTH = 120;
const MAX_LABEL_LENGTH = 120;
type Plan = Awaited<ReturnType<typeof readPlanForTool>>;

export const planFromTextTool: Tool<'plan_from_text'> = async (context, input) => {
  const { t } = context;
  const plan = await readPlanForTool(context, input);
  const weeks = (plan.weeks ?? [undefined]).map((title, index) => ({
    ...(title !== undefined && { title: toForeignText(title, MAX_TITLE_LENGTH) }),
    skills: plan.skills.filter(({ week = 0 }) => week === index).map((skill) => writePlanSkill(skill, plan)),
  }));
  const listLabels = (isListed: (objects: readonly LearningObjectHit[] | undefined) => boolean) =>
    plan.skills
      .filter(({ label }) => isListed(plan.objects.get(label)))
      .map(({ label }) => toForeignText(label, MAX_LABEL_LENGTH))
      .join(', ');
  const failed = listLabels((objects) => objects === undefined);
  const empty = listLabels((objects) => objects?.length === 0);
  const notices = [
    ...(plan.skills.length === 0 ? [t('assistantTools.noPlan')] : []),
    ...(failed === '' ? [] : [t('assistantTools.planFailed', { skills: failed })]),
    ...(empty === '' ? [] : [t('assistantTools.planEmpty', { skills: empty })]),
  ];
  const summary = t('assistantTools.plan', {
    count: weeks.flatMap(({ skills }) => skills.flatMap(({ items }) => items)).length,
    weeks: plan.weeks?.length ?? 0,
    skills: plan.skills.length,
  });
  const data = { lang: plan.lang, weeks, ...(notices.length > 0 && { notices }) };
  return { data, summary: [summary, ...notices].join(' '), short: writeShortPlan };
};

async function readPlanForTool({ deps, tenant, locale, signal }: ToolContext, input: ToolInput<'plan_from_text'>) {
  const { lang, max_skills: maxSkills, per_skill: perSkill } = input;
  const syllabus = { text: input.text, locale, maxSkills, perSkill, ...(lang !== undefined && { lang }) };
  const request = createPlanRequest(tenant.defaults, syllabus);
  let outline: Extract<PlanEvent, { kind: 'skills' }> | undefined;
  // Objects by the label of their skill; absent if the search failed.
  const objects = new Map<string, readonly LearningObjectHit[]>();
  // Titles of the first weeks that have an object, by the address of the object.
  const firstWeeks = new Map<string, string>();
  for await (const event of deps.discoveryOf(tenant.id).planFromText(request, { signal })) {
    if (event.kind === 'skills') outline = event;
    if (event.kind === 'objects') objects.set(event.skill, event.items);
  }
  const { weeks, skills = [] } = outline ?? {};
  return { lang: outline?.lang ?? lang ?? locale, weeks, skills, objects, firstWeeks };
}

/** Writes a skill with its objects, without descriptions, as a plan has many objects. */
function writePlanSkill({ label, quote, week = 0 }: PlannedSkill, { objects, weeks, firstWeeks }: Plan) {
  const results = objects.get(label) ?? [];
  const [first] = results;
  return {
    label: toForeignText(label, MAX_LABEL_LENGTH),
    ...(quote && { quote: toForeignText(`${quote.before}${quote.words}${quote.after}`, MAX_TITLE_LENGTH) }),
    ...(first && { request_id: first.requestId }),
    items: writeToolResults(results, first?.requestId).map(({ description: _, ...object }) => {
      const title = firstWeeks.get(object.url);
      if (title === undefined) firstWeeks.set(object.url, weeks?.[week] ?? '');
      return { ...object, ...(title && { also_in: toForeignText(title, MAX_TITLE_LENGTH) }) };
    }),
  };
}

const writeShortPlan = ({ weeks }: ToolOutput<'plan_from_text'>) =>
  weeks.map(({ skills, ...titled }) => ({
    ...titled,
    skills: skills.map(({ label, items }) => ({ label, urls: items.map(({ url }) => url) })),
  }));
