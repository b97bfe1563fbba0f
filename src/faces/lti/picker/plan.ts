import type { Launch } from '#domain/lti/launch';
import type { PlanContent } from '#domain/plan';
import { AppError, type ErrorCode, errorKinds } from '#errors';
import { views } from '#faces/views';
import { createPlanDraft, namePlanText } from '#services/people/plans/plans';
import { createPlanRequest, type PlanEvent } from '#services/searching/discovery';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply } from '../route.ts';
import { findShelfOwner, readCards } from './cards.ts';
import { findChoiceRules } from './choice-rules.ts';

const MAX_TEXT_LENGTH = 20_000;
const MAX_SKILLS = 12;
const OBJECTS_PER_SKILL = 3;

export function toPlanView({ context, deepLinking, resourceLink }: Launch) {
  const { title, text } = deepLinking ?? { title: resourceLink?.title, text: resourceLink?.description };
  const isPlaceDescribed = Boolean(title?.trim() && text?.trim());
  const parts = [isPlaceDescribed ? null : context?.title, title, text].filter((part) => part?.trim());
  return { maxTextLength: MAX_TEXT_LENGTH, courseText: [...new Set(parts)].join('\n').slice(0, MAX_TEXT_LENGTH) };
}

/** A plan from a text, streamed while it is made. It ends when the page stops reading. */
export async function makePlan(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, form, signal, locale } = context;
  const text = readText(form);
  const { defaults } = await deps.tenants.getTenant(launch.tenantId);
  const request = createPlanRequest(defaults, {
    text,
    locale,
    maxSkills: MAX_SKILLS,
    perSkill: OBJECTS_PER_SKILL,
    ...(launch.context?.title && { courseTitle: launch.context.title }),
  });
  const events = deps.discoveryOf(launch.tenantId).planFromText(request, { signal });
  return { kind: 'stream', lines: writePlanLines(events, namePlanText(text), { deps, context }) };
}

/** Errors: PARAMETERS_INVALID. */
function readText(form: URLSearchParams): string {
  const text = form.get('text') ?? '';
  const problem = findTextProblem(text);
  if (problem === null) return text;
  const message = `The text ${problem}. Change it, and ask again.`;
  throw new AppError('PARAMETERS_INVALID', message, { problems: [{ path: 'text', problem }] });
}

function findTextProblem(text: string): string | null {
  if (text.trim() === '') return 'must not be empty';
  const limit = MAX_TEXT_LENGTH.toLocaleString('en');
  return text.length > MAX_TEXT_LENGTH ? `must have at most ${limit} characters` : null;
}

/** A line of the stream, the last `problem` or `done`. `skill` is an index; `html`, a part. */
type PlanLine =
  | { readonly kind: 'skills'; readonly html: string }
  | { readonly kind: 'objects'; readonly skill: number; readonly html: string }
  | { readonly kind: 'problem'; readonly text: string }
  /** With the id of the stored plan; null where it has no section, or the person has too many. */
  | { readonly kind: 'done'; readonly plan: string | null };

async function* writePlanLines(
  events: AsyncIterable<PlanEvent>,
  name: string,
  { deps, context }: { readonly deps: LtiFaceDeps; readonly context: LaunchContext },
): AsyncGenerator<PlanLine, void, undefined> {
  let outline: Outline = { labels: [], lang: '' };
  const draft = createPlanDraft();
  try {
    for await (const event of events) {
      if (event.kind === 'skills') outline = { labels: event.skills.map(({ label }) => label), lang: event.lang };
      draft.add(event);
      if (event.kind === 'done') yield { kind: 'done', plan: await storePlan(draft.finish(name), deps, context) };
      else yield await toLine(event, outline, { deps, context });
    }
  } catch (error) {
    // The page no longer reads.
    if (context.signal.aborted) return;
    yield { kind: 'problem', text: describeFailure(error, context, deps) };
  }
}

/** Null where there is nothing to store, or no room for it. */
async function storePlan(content: PlanContent, { plans }: LtiFaceDeps, { launch }: LaunchContext) {
  if (content.sections.length === 0) return null;
  try {
    return (await plans.make(findShelfOwner(launch), content)).id;
  } catch (error) {
    if (error instanceof AppError && error.code === 'PLANS_TOO_MANY') return null;
    throw error;
  }
}

type Outline = { readonly labels: readonly string[]; readonly lang: string };

async function toLine(
  event: Exclude<PlanEvent, { kind: 'done' }>,
  { labels, lang }: Outline,
  { deps, context }: { readonly deps: LtiFaceDeps; readonly context: LaunchContext },
): Promise<PlanLine> {
  const { t, locale, launch } = context;
  const render = (view: string, model: object) => views.render(`lti/partials/${view}`, { t, locale, ...model });
  switch (event.kind) {
    case 'skills': {
      const takesMany = findChoiceRules(launch).maxItems > 1;
      return { kind: 'skills', html: render('plan-skills', { ...groupByWeek(event), takesMany }) };
    }
    case 'objects': {
      const all = await readCards(event.items, deps, context);
      const cards = event.items.map(({ object }, i) => ({
        ...all[i],
        isForeign: object.lang !== undefined && object.lang !== lang,
        earlier: event.earlier?.get(object.url) ?? null,
      }));
      const groups = [false, true].map((foreign) => cards.filter(({ isForeign }) => isForeign === foreign));
      return { kind: 'objects', skill: labels.indexOf(event.skill), html: render('plan-objects', { groups }) };
    }
    case 'failed': {
      const html = render('plan-failed', { problem: t(`plan.failed.${toReason(event.code)}`) });
      return { kind: 'objects', skill: labels.indexOf(event.skill), html };
    }
  }
}

/** The skills of each week with their indexes; one untitled group where there are no weeks. */
function groupByWeek({ skills, weeks = [] }: Extract<PlanEvent, { kind: 'skills' }>) {
  const indexed = skills.map((skill, place) => ({ ...skill, place }));
  if (weeks.length === 0) return { skills: indexed, groups: [{ title: null, skills: indexed }] };
  const groups = weeks.map((title, index) => ({ title, skills: indexed.filter(({ week }) => week === index) }));
  return { skills: indexed, groups };
}

/** Describes an error to the reader, and reports one of this host to `onProblem`. */
function describeFailure(error: unknown, { t }: LaunchContext, { onProblem }: LtiFaceDeps): string {
  const code = error instanceof AppError ? error.code : 'INTERNAL';
  if (errorKinds[code] === 'internal') onProblem(error);
  return t(`plan.failed.${toReason(code)}`);
}

function toReason(code: ErrorCode): 'busy' | 'away' | 'other' {
  const kind = errorKinds[code];
  if (kind === 'rate_limited') return 'busy';
  return kind === 'unavailable' ? 'away' : 'other';
}
