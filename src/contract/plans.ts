import { z } from 'zod';
import { planLimits, summarizePlan } from '#domain/plan';
import { MAX_TEXT_LENGTH } from '#domain/text';
import type { PlanRecord } from '#ports/store/store';
import { learningObject, writeLearningObject } from './learning-object.ts';
import { listFieldSchemas, parseRequest } from './parse.ts';
import { readQueryBody } from './read-query.ts';
import { described, language, webAddress } from './shared.ts';

/** Plans on the wire: an extension, whose addresses have no operation of the specification. */
export const PLANS_PATH = '/learningobject/v2/plans';

const name = z.string().trim().min(1).max(planLimits.name);
const hours = z.number().min(0).max(planLimits.hours);

const namedObject = z.object({
  url: webAddress.meta({ description: 'Address of a learning object that a search returned' }),
  title: described(z.string().max(500).exactOptional(), 'Its title, which some institutions need to find it'),
  note: z.string().max(planLimits.note).exactOptional(),
  graded: z.boolean().exactOptional(),
});

const newSection = z.object({
  title: z.string().max(planLimits.sectionTitle),
  text: z.string().max(planLimits.sectionText).exactOptional(),
  hours: hours.exactOptional(),
  objects: z.array(namedObject).max(50).exactOptional(),
});

/** A plan is made from a text, from sections, or as a copy of a shared one. */
export const newPlan = z.object({
  name: name.exactOptional().meta({ description: 'When absent, the first line of the text' }),
  expected_hours: z.int().min(0).max(planLimits.hours).exactOptional(),
  text: described(
    z.string().trim().min(1).max(MAX_TEXT_LENGTH).exactOptional(),
    'A syllabus, a course description or a job advertisement to plan from',
  ),
  lang: language.exactOptional().meta({ description: 'Two-letter code of the text; detected when absent' }),
  sections: z.array(newSection).max(planLimits.sections).exactOptional().meta({ description: 'Instead of a text' }),
  copy_of: z.string().max(100).exactOptional().meta({ description: 'Token of the link of a shared plan, to copy it' }),
});

const newPlanFields = listFieldSchemas(newPlan);

/** Errors: PARAMETERS_INVALID. */
export const readNewPlan = (body: unknown): z.output<typeof newPlan> =>
  parseRequest(newPlan, readQueryBody(body, newPlanFields));

const planSummary = z.object({
  id: z.string(),
  name: z.string(),
  expected_hours: z.number().nullable(),
  lang: z.string().nullable(),
  share_token: described(z.string().nullable(), 'Its page is `/plans/{share_token}`; null while it is not shared'),
  changed: z.iso.datetime(),
  version: z.int(),
  objects: z.int().meta({ description: 'How many learning objects it has' }),
  minutes: z.number().meta({ description: 'Length of the objects that state one' }),
});

export const planList = z.object({ total: z.int(), page: z.int(), plans: z.array(planSummary) });

export const planAnswer = planSummary.extend({
  sections: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      text: z.string(),
      hours: z.number().nullable(),
      items: z.array(
        z.object({
          id: z.string(),
          object: learningObject,
          skill: z.string().nullable().meta({ description: 'The skill of the text that it teaches' }),
          note: z.string(),
          graded: z.boolean(),
        }),
      ),
      uncovered: z.array(z.string()).meta({ description: 'Skills of the text for which nothing was found' }),
    }),
  ),
});

export function writePlanSummary(plan: PlanRecord): z.input<typeof planSummary> {
  const { items, length } = summarizePlan(plan);
  return {
    id: plan.id,
    name: plan.name,
    expected_hours: plan.expectedHours,
    lang: plan.lang,
    share_token: plan.shareToken,
    changed: plan.changedAt.toISOString(),
    version: plan.version,
    objects: items,
    minutes: length.minutes,
  };
}

export const writePlan = (plan: PlanRecord): z.input<typeof planAnswer> => ({
  ...writePlanSummary(plan),
  sections: plan.sections.map(({ id, title, text, hours, items, uncovered }) => ({
    id,
    title,
    text,
    hours,
    items: items.map(({ id, object, skill, note, isGraded }) => {
      return { id, object: writeLearningObject(object), skill, note, graded: isGraded };
    }),
    uncovered: [...uncovered],
  })),
});
