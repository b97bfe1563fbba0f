import { AppError, type ErrorCode, errorKinds } from '#errors';
import { views } from '#faces/views';
import type { PlanEvent } from '#services/searching/discovery';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';
import { readCards } from './cards.ts';
import { findChoiceRules } from './choice-rules.ts';

/** One line of what the page reads. `html` is a part of the page; skills are named by their place
 *  in the list. `problem` ends a plan that could not be made, `done` one that was. */
export type PlanLine =
  | { readonly kind: 'skills'; readonly html: string }
  | { readonly kind: 'objects'; readonly skill: number; readonly html: string }
  | { readonly kind: 'problem'; readonly text: string }
  | { readonly kind: 'done' };

/** The events of a plan as lines, as they come. */
export async function* writePlanLines(
  events: AsyncIterable<PlanEvent>,
  deps: Pick<LtiFaceDeps, 'shelf' | 'keyring' | 'onProblem'>,
  context: LaunchContext,
): AsyncGenerator<PlanLine, void, undefined> {
  const labels: string[] = [];
  try {
    for await (const event of events) {
      if (event.kind === 'skills') labels.push(...event.skills.map(({ label }) => label));
      yield await toLine(event, labels, { deps, context });
    }
  } catch (error) {
    // A reader that stopped it reads no more.
    if (context.signal.aborted) return;
    yield { kind: 'problem', text: describeProblem(error, context, deps) };
  }
}

interface LineScope {
  readonly deps: Pick<LtiFaceDeps, 'shelf' | 'keyring'>;
  readonly context: LaunchContext;
}

async function toLine(event: PlanEvent, labels: string[], { deps, context }: LineScope): Promise<PlanLine> {
  const { t, locale } = context;
  const render = (view: string, model: object) =>
    views.render(`lti/partials/${view}`, { t, locale, ...model });
  switch (event.kind) {
    case 'skills':
      return {
        kind: 'skills',
        html: render('plan-skills', {
          ...groupByWeek(event),
          takesMany: findChoiceRules(context.launch).maxItems > 1,
        }),
      };
    case 'objects': {
      const cards = await readCards(event.items, deps, context);
      return { kind: 'objects', skill: labels.indexOf(event.skill), html: render('plan-objects', { cards }) };
    }
    case 'failed': {
      const problem = t(`plan.failed.${reasonOf(event.code)}`);
      const html = render('plan-failed', { problem });
      return { kind: 'objects', skill: labels.indexOf(event.skill), html };
    }
    case 'done':
      return { kind: 'done' };
  }
}

type SkillsEvent = Extract<PlanEvent, { kind: 'skills' }>;

/** Skills by their place in the plan, in groups: one for each week, or one without a title. */
function groupByWeek({ skills, weeks = [] }: SkillsEvent) {
  const placed = skills.map((skill, place) => ({ ...skill, place }));
  const ofWeeks = weeks.map((title, week) => ({
    title,
    skills: placed.filter((skill) => skill.week === week),
  }));
  return { skills: placed, groups: weeks.length === 0 ? [{ title: null, skills: placed }] : ofWeeks };
}

/** What is the host's own fault is in its log, too. */
function describeProblem(
  error: unknown,
  { t }: LaunchContext,
  { onProblem }: Pick<LtiFaceDeps, 'onProblem'>,
): string {
  const code = error instanceof AppError ? error.code : 'INTERNAL';
  if (errorKinds[code] === 'internal') onProblem(error);
  return t(`plan.failed.${reasonOf(code)}`);
}

function reasonOf(code: ErrorCode): 'busy' | 'away' | 'other' {
  const kind = errorKinds[code];
  if (kind === 'rate_limited') return 'busy';
  return kind === 'unavailable' ? 'away' : 'other';
}
