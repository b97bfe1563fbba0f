import type { Request, Response } from 'express';
import { listAssistantSetups } from '#domain/assistants';
import { views } from '../views.ts';
import type { FaceState } from './deps.ts';
import { type HomePages, type HomeRoute, sendPrepared } from './pages.ts';

export const connectRoutes: readonly HomeRoute[] = [{ method: 'get', path: '/connect', handle: showConnections }];

function showConnections(request: Request, response: Response, pages: HomePages): Promise<void> {
  const { faces, publicUrl, demoKey } = pages;
  return sendPrepared(request, response, pages, async (reader) => {
    const [facesNow, isAdmin] = await Promise.all([faces(), reader.isAdministrator()]);
    const ways = facesNow.map((face) => toWay(face, isAdmin));
    const model = { ...reader, publicUrl, demoKey, setups: listAssistantSetups(publicUrl), ways };
    return { html: views.render('connect', model), isWhole: true };
  });
}

/** A card with its button and guide. Only administrators read what has to be set up. */
function toWay({ id, isOn, href }: FaceState, isAdmin: boolean) {
  const guide = { lti: 'lti', slack: 'slack', api: 'api', admin: 'admin', demoCourse: null, demoChat: null }[id];
  const state = isOn ? 'on' : isAdmin ? 'setUp' : 'off';
  const guidePath = guide === null ? null : `/docs/guides/${guide}`;
  return state === 'off'
    ? { id, isOn, state, href: guidePath ?? href, guide: null }
    : { id, isOn, state, href, guide: guidePath };
}
