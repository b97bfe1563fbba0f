import { createQuery } from '../../../domain/learning-object-query.ts';
import type { SearchDefaults } from '../../../domain/tenant.ts';
import { AppError } from '../../../errors.ts';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply, LtiRoute } from '../route.ts';
import { planLines } from './plan-lines.ts';
import { MAX_TEXT_LENGTH } from './plan-view.ts';

const MAX_SKILLS = 12;
const OBJECTS_PER_SKILL = 3;

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
  const { defaults } = await deps.tenants.getTenant(launch.tenantId);
  const events = deps.discoveryOf(launch.tenantId).planFromText(
    {
      text,
      usualLang: locale,
      query: createQuery('', yielding(defaults)),
      maxSkills: MAX_SKILLS,
      perSkill: OBJECTS_PER_SKILL,
    },
    { signal },
  );
  return { kind: 'stream', lines: planLines(events, deps, context) };
}

/** That the text is in a language does not forbid objects in others; that the institution wants one may. */
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
