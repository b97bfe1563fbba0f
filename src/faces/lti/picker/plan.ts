import { createLearningObjectQuery } from '#domain/learning-object-query';
import type { Launch } from '#domain/lti/launch';
import type { SearchDefaults } from '#domain/tenant';
import { AppError } from '#errors';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply, LtiRoute } from '../route.ts';
import { writePlanLines } from './plan-lines.ts';

/** Characters of a text that a plan is made from. */
const MAX_TEXT_LENGTH = 20_000;

const MAX_SKILLS = 12;
const OBJECTS_PER_SKILL = 3;

/** What `views/lti/partials/plan.eta` shows. */
export interface PlanView {
  readonly maxTextLength: number;
  /** What the platform says of the place in the course, or of the course where it says little of
   *  the place; empty where it says nothing. */
  readonly courseText: string;
}

export function toPlanView({ context, deepLinking, resourceLink }: Launch): PlanView {
  const { title, text } = deepLinking ?? { title: resourceLink?.title, text: resourceLink?.description };
  const isPlaceTold = Boolean(title?.trim() && text?.trim());
  const said = [isPlaceTold ? null : context?.title, title, text].filter((part): part is string =>
    Boolean(part?.trim()),
  );
  return {
    maxTextLength: MAX_TEXT_LENGTH,
    courseText: [...new Set(said)].join('\n').slice(0, MAX_TEXT_LENGTH),
  };
}

/** A plan from a text, as it is made. It ends when the page stops reading. */
export function planRoute(deps: LtiFaceDeps): LtiRoute {
  return {
    method: 'post',
    path: '/picker/plan',
    access: 'picker',
    handle: (context) => makePlan(deps, context),
  };
}

async function makePlan(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, form, signal, locale } = context;
  const text = readText(form);
  // The searches of a plan have a language each, which nothing else is preferred to.
  const { prefer = locale, ...defaults } = (await deps.tenants.getTenant(launch.tenantId)).defaults;
  const events = deps.discoveryOf(launch.tenantId).planFromText(
    {
      text,
      usualLang: prefer,
      query: createLearningObjectQuery('', yielding(defaults)),
      maxSkills: MAX_SKILLS,
      perSkill: OBJECTS_PER_SKILL,
      isSyllabus: true,
      ...(launch.context?.title && { courseTitle: launch.context.title }),
    },
    { signal },
  );
  return { kind: 'stream', lines: writePlanLines(events, deps, context) };
}

/** The language of the text does not exclude objects in others; the institution's choice of one
 *  may. */
function yielding(defaults: SearchDefaults): SearchDefaults {
  return defaults.lang === null ? { ...defaults, match: 'best-effort' } : defaults;
}

function readText(form: URLSearchParams): string {
  const text = form.get('text') ?? '';
  const problem = findProblem(text);
  if (problem === null) return text;
  const message = `The text ${problem}. Change it, and ask again.`;
  throw new AppError('PARAMETERS_INVALID', message, { problems: [{ path: 'text', problem }] });
}

function findProblem(text: string): string | null {
  if (text.trim() === '') return 'must not be empty';
  const limit = MAX_TEXT_LENGTH.toLocaleString('en');
  return text.length > MAX_TEXT_LENGTH ? `must have at most ${limit} characters` : null;
}
