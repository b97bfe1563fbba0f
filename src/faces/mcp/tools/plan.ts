import type { ToolInput, ToolObject, ToolOutput } from '#contract/index';
import { createLearningObjectQuery } from '#domain/learning-object-query';
import { toForeignText } from '#domain/text';
import type { PlanEvent, PlannedSkill } from '#services/searching/discovery';
import type { FoundObject } from '#services/searching/discovery/results';
import { type Tool, type ToolContext, writeFound } from './tool.ts';

const MAX_TITLE = 120;
const MAX_LABEL = 120;

interface Planned {
  readonly lang: string;
  readonly weeks: readonly string[] | undefined;
  readonly skills: readonly PlannedSkill[];
  /** By skill; absent where its search failed. */
  readonly objects: ReadonlyMap<string, readonly FoundObject[]>;
}

export const planFromText: Tool<'plan_from_text'> = async (context, input) => {
  const { t } = context;
  const plan = await readPlan(context, input);
  const weeks = (plan.weeks ?? [undefined]).map((title, place) => ({
    ...(title !== undefined && { title: toForeignText(title, MAX_TITLE) }),
    skills: plan.skills.filter(({ week = 0 }) => week === place).map((skill) => writeSkill(skill, plan)),
  }));
  const all = weeks.flatMap(({ skills }) => skills.flatMap(({ items }) => items));
  const failed = plan.skills
    .filter(({ label }) => !plan.objects.has(label))
    .map(({ label }) => toForeignText(label, MAX_LABEL));
  const empty = plan.skills
    .filter(({ label }) => plan.objects.get(label)?.length === 0)
    .map(({ label }) => toForeignText(label, MAX_LABEL));
  const notices = [
    ...(plan.skills.length === 0 ? [t('assistantTools.noPlan')] : []),
    ...(failed.length > 0 ? [t('assistantTools.planFailed', { skills: failed.join(', ') })] : []),
    ...(empty.length > 0 ? [t('assistantTools.planEmpty', { skills: empty.join(', ') })] : []),
  ];
  const summary = t('assistantTools.plan', {
    count: all.length,
    weeks: plan.weeks?.length ?? 0,
    skills: plan.skills.length,
  });
  const data = { lang: plan.lang, weeks, ...(notices.length > 0 && { notices }) };
  return { data, summary: [summary, ...notices].join(' '), short: writeShort };
};

async function readPlan(
  { deps, tenant, locale, signal }: ToolContext,
  input: ToolInput<'plan_from_text'>,
): Promise<Planned> {
  const { text, lang, max_skills: maxSkills, per_skill: perSkill } = input;
  // The searches of a plan have a language each, which nothing else is preferred to; that of the
  // text does not exclude others.
  const { prefer: usualLang = locale, ...defaults } = tenant.defaults;
  const yielding = defaults.lang === null ? ({ ...defaults, match: 'best-effort' } as const) : defaults;
  const { keywords: _, page: __, max: ___, ...query } = createLearningObjectQuery('', yielding);
  const request = {
    text,
    usualLang,
    query,
    maxSkills,
    perSkill,
    isSyllabus: true,
    ...(lang !== undefined && { lang }),
  };
  let told: Extract<PlanEvent, { kind: 'skills' }> | undefined;
  const objects = new Map<string, readonly FoundObject[]>();
  for await (const event of deps.discoveryOf(tenant.id).planFromText(request, { signal })) {
    if (event.kind === 'skills') told = event;
    if (event.kind === 'objects') objects.set(event.skill, event.items);
  }
  return { lang: told?.lang ?? lang ?? locale, weeks: told?.weeks, skills: told?.skills ?? [], objects };
}

function writeSkill({ label, quote }: PlannedSkill, { objects }: Planned) {
  const found = objects.get(label) ?? [];
  const [first] = found;
  return {
    label: toForeignText(label, MAX_LABEL),
    ...(quote && { quote: toForeignText(`${quote.before}${quote.words}${quote.after}`, MAX_TITLE) }),
    ...(first && { request_id: first.requestId }),
    items: writeFound(found, first?.requestId).map(toPlanned),
  };
}

/** A plan has many objects: what they are about is said by their skill. */
const toPlanned = ({ description: _, tier: __, ...object }: ToolObject): ToolObject => object;

const writeShort = ({ weeks }: ToolOutput<'plan_from_text'>) =>
  weeks.map(({ skills, ...titled }) => ({
    ...titled,
    skills: skills.map(({ label, items }) => ({ label, urls: items.map(({ url }) => url) })),
  }));
