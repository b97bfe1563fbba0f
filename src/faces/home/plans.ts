import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { readPlanFormat, writePlanFile } from '../plan-view/documents.ts';
import { toPlanView } from '../plan-view/plan-view.ts';
import { views } from '../views.ts';
import { type HomePages, type HomeRoute, readReader, sendPage } from './pages.ts';

export const planRoutes: readonly HomeRoute[] = [
  { method: 'get', path: '/plans/:token', handle: showPlan },
  { method: 'get', path: '/plans/:token/:format', handle: sendPlan },
];

const DEAD_LINKS_MS = 3_000;

/** A shared plan, for whoever has its link. */
async function showPlan(request: Request, response: Response, pages: HomePages): Promise<void> {
  const plan = await pages.plans.getShared(String(request.params.token), null);
  const reader = readReader(request, response, pages);
  const signal = AbortSignal.any([reader.signal, AbortSignal.timeout(DEAD_LINKS_MS)]);
  const view = toPlanView(plan, await pages.plans.findDeadLinks(plan, signal), reader);
  response.set({ 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' });
  sendPage(response, views.render('plan', { ...reader, plan: view }));
}

async function sendPlan(request: Request, response: Response, pages: HomePages): Promise<void> {
  const format = readPlanFormat(String(request.params.format));
  const plan = await pages.plans.getShared(String(request.params.token), null);
  const { name, type, lines } = writePlanFile(plan, format, readReader(request, response, pages));
  response.attachment(name).type(type).set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
  await pipeline(Readable.from(lines), response);
}
