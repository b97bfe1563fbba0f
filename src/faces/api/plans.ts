import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { Operation } from '#contract/index';
import { newPlan, PLANS_PATH, planAnswer, planList, readNewPlan, writePlan, writePlanSummary } from '#contract/index';
import type { PlanContent } from '#domain/plan';
import { AppError } from '#errors';
import type { CallOptions } from '#ports/learning-service';
import type { ShelfOwner } from '#ports/store/store';
import { makePlanItem, makePlanSection } from '#services/people/plans/plan-changes';
import type { Plans } from '#services/people/plans/plans';
import type { ObjectLookup } from '#services/searching/object-lookup';
import type { ApiAccess } from '#services/tenants/api-access';
import { createAbortSignal } from '../abort-signal.ts';
import { readStrictQuery } from '../strict-paths.ts';
import { PROGRAMS } from './endpoints.ts';
import { admitApiRequest, admitRequestMethod, readRequestJson, sendUncachedJson } from './request.ts';

export interface PlanEndpointsDeps {
  readonly access: ApiAccess;
  readonly plans: Plans;
  readonly cachedObjects: ObjectLookup;
}

export interface PlanOperation extends Pick<Operation, 'name' | 'summary' | 'body' | 'response'> {
  readonly parameters?: readonly object[];
}

const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of a plan of this API; to read one, also the token of the link of a shared plan',
  schema: { type: 'string' },
};
const MAX_PAGE = 99;
const pageParameter = {
  name: 'page',
  description: 'From 0; 20 plans a page',
  in: 'query',
  required: false,
  schema: { type: 'integer', minimum: 0, maximum: MAX_PAGE },
};

export const planOperations: Readonly<Record<string, Readonly<Record<string, PlanOperation>>>> = {
  [PLANS_PATH]: {
    get: {
      name: 'listPlans',
      summary: 'List the plans of this institution’s programs',
      parameters: [pageParameter],
      response: planList,
    },
    post: { name: 'makePlan', summary: 'Make a plan', body: newPlan, response: planAnswer },
  },
  [`${PLANS_PATH}/{id}`]: {
    get: { name: 'getPlan', summary: 'Read a plan', parameters: [idParameter], response: planAnswer },
    delete: {
      name: 'removePlan',
      summary: 'Remove a plan',
      parameters: [idParameter],
      response: z.object({ id: z.string() }),
    },
  },
};

const PLAN_PATH = new RegExp(`^${PLANS_PATH}(?:/([\\w-]{1,100}))?/?$`, 'i');

export const isPlanPath = (path: string): boolean => PLAN_PATH.test(path);

const PAGE_SIZE = 20;
const SHARE_TOKEN = /^[\w-]{22}$/;

export function createPlanEndpoint(deps: PlanEndpointsDeps): RequestHandler {
  return async (request, response) => {
    response.locals.operation = PLANS_PATH;
    const [, planId] = PLAN_PATH.exec(request.path) ?? [];
    if (!admitRequestMethod(request, response, 'GET', planId === undefined ? 'POST' : 'DELETE')) return;
    const key = { access: deps.access, scope: 'learning-objects', header: 'x-api-key' } as const;
    const { tenantId } = await admitApiRequest(request, response, key);
    const owner = { tenantId, person: PROGRAMS };
    if (request.method === 'DELETE') {
      await deps.plans.remove(owner, planId ?? '');
      return sendUncachedJson(response, { id: planId });
    }
    if (request.method === 'POST') {
      await readRequestJson(request, response);
      const plan = await answerMakePlan(deps, owner, request.body, { signal: createAbortSignal(response) });
      return sendUncachedJson(response, writePlan(plan));
    }
    if (planId === undefined) {
      const page = readPlanPage(request);
      const { items, total } = await deps.plans.list(owner, { page, pageSize: PAGE_SIZE });
      return sendUncachedJson(response, { total, page, plans: items.map(writePlanSummary) });
    }
    const isShared = SHARE_TOKEN.test(planId);
    const plan = isShared ? deps.plans.getShared(planId, tenantId) : deps.plans.get(owner, planId);
    sendUncachedJson(response, writePlan(await plan));
  };
}

function readPlanPage(request: Request): number {
  const text = readStrictQuery(request).get('page') ?? '0';
  if (/^\d{1,2}$/.test(text)) return Number(text);
  throw new AppError('PARAMETERS_INVALID', 'The request cannot be answered because of page. Correct what is listed.', {
    problems: [{ path: 'page', problem: `must be a whole number from 0 to ${MAX_PAGE}` }],
  });
}

const MAX_SKILLS = 12;
const PER_SKILL = 3;

/** Makes a plan as a body says. Errors: PARAMETERS_INVALID; OBJECT_UNKNOWN; those of `Plans`. */
async function answerMakePlan(deps: PlanEndpointsDeps, owner: ShelfOwner, body: unknown, options: CallOptions) {
  const { plans } = deps;
  const { name, text, lang, copy_of: token, expected_hours: expectedHours = null, sections } = readNewPlan(body);
  if (token !== undefined) return plans.copy(owner, token);
  if (text !== undefined) {
    const syllabus = { text, locale: lang ?? 'en', maxSkills: MAX_SKILLS, perSkill: PER_SKILL, ...(lang && { lang }) };
    return plans.makeFromText(owner, { ...syllabus, name, expectedHours }, options);
  }
  if (name === undefined)
    throw new AppError('PARAMETERS_INVALID', 'There is nothing to plan from: give a text, or a name.', {
      problems: [{ path: 'text', problem: 'is required: a text to plan from, or a name and sections' }],
    });
  const planSections = await readPlanSections(deps, owner, sections ?? [], options);
  return plans.make(owner, { name, expectedHours, sections: planSections, lang: lang ?? null });
}

async function readPlanSections(
  { cachedObjects }: PlanEndpointsDeps,
  { tenantId }: ShelfOwner,
  sections: NonNullable<ReturnType<typeof readNewPlan>['sections']>,
  options: CallOptions,
): Promise<PlanContent['sections']> {
  const planSections = sections.map(async ({ title, text = '', hours = null, objects = [] }) => {
    const items = objects.map(async ({ note = '', graded: isGraded = false, ...reference }) => {
      const object = await cachedObjects.get(tenantId, reference, options);
      return makePlanItem({ object, requestId: null }, { note, isGraded });
    });
    return makePlanSection(title, { text, hours, items: await Promise.all(items) });
  });
  return Promise.all(planSections);
}
