import type { Launch } from '#domain/lti/launch';
import { summarizePlan } from '#domain/plan';
import { MAX_TEXT_LENGTH } from '#domain/text';
import { AppError, type ErrorCode, type ErrorKind, errorKinds } from '#errors';
import { views } from '#faces/views';
import { createPlanDraft, namePlanText } from '#services/people/plans/plans';
import { createPlanRequest, type PlanEvent } from '#services/searching/discovery';
import type { LtiFaceDeps } from '../deps.ts';
import { type LaunchContext, type LtiFragmentReply, type LtiReply, toShelfOwner } from '../route.ts';
import { showStoredPlan, showStoredPlanDraft } from './stored-plans.ts';

const MAX_SKILLS = 12;
const OBJECTS_PER_SKILL = 3;

export function toPickerPlanView({ context, deepLinking, resourceLink }: Launch) {
  const { title, text } = deepLinking ?? { title: resourceLink?.title, text: resourceLink?.description };
  const isPlaceDescribed = Boolean(title?.trim() && text?.trim());
  const parts = [isPlaceDescribed ? null : context?.title, title, text].filter((part) => part?.trim());
  return { maxTextLength: MAX_TEXT_LENGTH, courseText: [...new Set(parts)].join('\n').slice(0, MAX_TEXT_LENGTH) };
}

/** Streams a plan from a text while it is made, until the page stops reading. */
export async function makePickerPlan(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, form, signal, locale } = context;
  const text = readPickerPlanText(form);
  const { defaults } = await deps.tenants.getTenant(launch.tenantId);
  const request = createPlanRequest(defaults, {
    text,
    locale,
    maxSkills: MAX_SKILLS,
    perSkill: OBJECTS_PER_SKILL,
    ...(launch.context?.title && { courseTitle: launch.context.title }),
  });
  const events = deps.discoveryOf(launch.tenantId).planFromText(request, { signal });
  return { kind: 'stream', lines: writePickerPlanLines(events, namePlanText(text), { deps, context }) };
}

function readPickerPlanText(form: URLSearchParams): string {
  const text = form.get('text') ?? '';
  const isEmpty = text.trim() === '';
  if (!isEmpty && text.length <= MAX_TEXT_LENGTH) return text;
  const limit = MAX_TEXT_LENGTH.toLocaleString('en');
  const problem = isEmpty ? 'must not be empty' : `must have at most ${limit} characters`;
  const message = `The text ${problem}. Change it, and ask again.`;
  throw new AppError('PARAMETERS_INVALID', message, { problems: [{ path: 'text', problem }] });
}

/** A line of the stream; the last is `problem` or `done`. `html` is the plan or a section. */
type PlanLine =
  | { readonly kind: 'plan' | 'section' | 'done'; readonly html: string }
  | { readonly kind: 'problem'; readonly text: string };

async function* writePickerPlanLines(
  events: AsyncIterable<PlanEvent>,
  name: string,
  { deps, context }: { readonly deps: LtiFaceDeps; readonly context: LaunchContext },
): AsyncGenerator<PlanLine, void, undefined> {
  const { t, locale, launch, signal } = context;
  const draw = ({ view, model }: LtiFragmentReply) => views.render(`lti/${view}`, { t, locale, ...model });
  const draft = createPlanDraft();
  const failures: string[] = [];
  try {
    for await (const event of events) {
      const section = draft.add(event);
      const content = draft.read(name, launch.context?.title ?? undefined);
      if (event.kind === 'failed')
        failures.push(`${event.skill}: ${t(`plan.failed.${toPlanFailureReason(event.code)}`)}`);
      if (section !== null) {
        const part = await showStoredPlanDraft(deps, context, { name, sections: [section] }, 'ready');
        yield { kind: 'section', html: draw(part) };
      } else if (content.sections.length === 0) {
        if (event.kind === 'done') yield { kind: 'problem', text: t('plan.noSkills') };
      } else if (event.kind === 'skills') {
        yield { kind: 'plan', html: draw(await showStoredPlanDraft(deps, context, content, 'searching')) };
      } else if (event.kind === 'done') {
        const plan = await deps.plans.make(toShelfOwner(launch), content);
        const numbers = { resources: summarizePlan(plan).items, sections: plan.sections.length };
        const note = [t('plan.ready', numbers), ...failures].join(' ');
        yield { kind: 'done', html: draw(await showStoredPlan(deps, context, plan, note)) };
      }
    }
  } catch (error) {
    // A page that was left needs no message.
    if (!signal.aborted) yield { kind: 'problem', text: describePlanFailure(error, context, deps) };
  }
}

/** Describes an error to the reader, and reports one of this host to `onProblem`. */
function describePlanFailure(error: unknown, { t }: LaunchContext, { onProblem }: LtiFaceDeps): string {
  const { code, data } = error instanceof AppError ? error : { code: 'INTERNAL' as const };
  if (errorKinds[code] === 'internal') onProblem(error);
  return code === 'PLANS_TOO_MANY' ? t('plans.full', data) : t(`plan.failed.${toPlanFailureReason(code)}`);
}

const failureReasons: Partial<Record<ErrorKind, string>> = { rate_limited: 'busy', unavailable: 'away' };
const toPlanFailureReason = (code: ErrorCode) => failureReasons[errorKinds[code]] ?? 'other';
