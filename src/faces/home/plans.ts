/** Shows plans outside a course. A person is recognised by the cookie of an earlier launch, or by
 *  a ticket in a link that only they see and that gives the browser such a cookie. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { summarizePlan } from '#domain/plan';
import { AppError } from '#errors';
import type { PlanRecord, ShelfOwner } from '#ports/store/store';
import { isSentByThisOrigin } from '../cookies.ts';
import { readPlanFormat, writePlanFile } from '../plan-view/documents.ts';
import { toPlanView } from '../plan-view/plan-view.ts';
import { readStrictQuery } from '../strict-paths.ts';
import { views } from '../views.ts';
import { type HomePages, type HomeRoute, readReader, sendPage } from './pages.ts';

export const planRoutes: readonly HomeRoute[] = [
  { method: 'get', path: '/plans', handle: acceptPlanTickets(showPlanList) },
  { method: 'post', path: '/plans', handle: forgetPlanPerson },
  { method: 'get', path: '/plans/:plan', handle: acceptPlanTickets(showPlan) },
  { method: 'get', path: '/plans/:plan/:format', handle: sendPlan },
];

const PAGE_SIZE = 200;
const DEAD_LINKS_MS = 3_000;

/** Exchanges the ticket of an address for a cookie, as people may pass on the address. */
function acceptPlanTickets(handle: HomeRoute['handle']): HomeRoute['handle'] {
  return async (request, response, pages) => {
    response.set({ 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'same-origin' });
    const ticket = readStrictQuery(request).get('ticket');
    if (ticket === null) return handle(request, response, pages);
    const { personSessions, cookies } = pages;
    const person = personSessions.readTicket(ticket);
    if (person !== null) cookies.change(response, { name: 'person', value: await personSessions.begin(person) });
    response.set('Cache-Control', 'no-store').redirect(303, request.path);
  };
}

async function findPlanPerson(request: Request, { cookies, personSessions }: HomePages): Promise<ShelfOwner | null> {
  const token = cookies.read(request, 'person');
  return token === undefined ? null : personSessions.find(token);
}

/** Errors: PLAN_UNKNOWN, PLAN_CLOSED; those of `ApiAccess`. */
async function readPersonPlan(request: Request, pages: HomePages): Promise<PlanRecord> {
  const name = String(request.params.plan);
  const person = await findPlanPerson(request, pages);
  if (/^[\da-f-]{36}$/.test(name)) return pages.plans.get(person ?? refuseStrangerToPlans(), name);
  const plan = await pages.plans.getShared(name, null);
  if (person?.tenantId === plan.tenantId || (await pages.findTenantOf(request)) === plan.tenantId) return plan;
  return refuseStrangerToPlans();
}

function refuseStrangerToPlans(): never {
  throw new AppError(
    'PLAN_CLOSED',
    'This is for people of the institution that the plan belongs to. Open Skilldock in your course, and in the tab for plans, choose to open your plans in a new window: then this page works in this browser.',
  );
}

async function showPlanList(request: Request, response: Response, pages: HomePages): Promise<void> {
  const person = (await findPlanPerson(request, pages)) ?? refuseStrangerToPlans();
  const { items } = await pages.plans.list(person, { page: 0, pageSize: PAGE_SIZE });
  const plans = items.map((plan) => ({ ...plan, count: summarizePlan(plan).items }));
  sendPage(response, views.render('plans', { ...readReader(request, response, pages), plans }));
}

/** Signs the person out, for shared computers. */
function forgetPlanPerson(request: Request, response: Response, { cookies, publicUrl }: HomePages): void {
  if (isSentByThisOrigin(request, publicUrl)) cookies.change(response, { name: 'person', value: null });
  response.redirect(303, '/');
}

async function showPlan(request: Request, response: Response, pages: HomePages): Promise<void> {
  const plan = await readPersonPlan(request, pages);
  const reader = readReader(request, response, pages);
  const signal = AbortSignal.any([reader.signal, AbortSignal.timeout(DEAD_LINKS_MS)]);
  const dead = await pages.plans.findDeadLinks(plan, signal);
  const { path } = request;
  const model = { plan: toPlanView(plan, dead, { ...reader, ...pages }), path, isOwn: path.endsWith(plan.id) };
  sendPage(response, views.render('plan', { ...reader, ...model }));
}

async function sendPlan(request: Request, response: Response, pages: HomePages): Promise<void> {
  const format = readPlanFormat(String(request.params.format));
  const plan = await readPersonPlan(request, pages);
  const { name, type, lines } = writePlanFile(plan, format, readReader(request, response, pages));
  response.attachment(name).type(type).set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
  await pipeline(Readable.from(lines), response);
}
