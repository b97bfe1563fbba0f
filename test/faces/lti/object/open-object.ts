import type { Launch } from '../../../../src/domain/lti/launch.ts';
import { PLACEMENT_PARAMETER } from '../../../../src/domain/lti/placement.ts';
import type { OpenedLink } from '../../../../src/services/courses/placements/links.ts';
import type { ChosenObject } from '../../../../src/services/courses/placements/placement-records.ts';
import { fullObject, KNOWN_REQUEST_ID } from '../../../fakes/learning-service.ts';
import { type LtiOptions, type RunningLti, resourceLinkLaunch, startLti } from '../start-lti.ts';

export const chosen: ChosenObject = {
  object: fullObject,
  requestId: KNOWN_REQUEST_ID,
  title: 'Week 1: Python',
  completion: 'marked',
  points: 10,
};

export const grading: Launch['grading'] = {
  scopes: ['https://purl.imsglobal.org/spec/lti-ags/scope/score'],
  lineItem: 'https://lms.example.org/items/1?type=x',
  lineItems: null,
};

export interface OpenedObject extends RunningLti {
  /** Token of a launch of the link, of a learner unless told otherwise. */
  launch(overrides?: Partial<Launch>): Promise<string>;
  teach(overrides?: Partial<Launch>): Promise<string>;
  /** The text of a page below `/lti`. */
  page(path: string, token: string): Promise<string>;
  /** A part of a page, as a script of ours asks for it. */
  part(path: string, token: string): Promise<string>;
  /** Send a form as a browser does, with the placement that is shown. */
  send(path: string, token: string, fields?: Readonly<Record<string, string>>): Promise<Response>;
  /** The same by a script of ours. */
  sendByScript(path: string, token: string, fields?: Readonly<Record<string, string>>): Promise<Response>;
  /** The first one. */
  readonly placementId: string;
  /** The link as it is now. */
  find(): Promise<OpenedLink>;
  /** Put another object behind the link. */
  replace(choice: Partial<ChosenObject>): Promise<void>;
}

/** A link in a course with an object behind it. */
export async function openObject(choice: Partial<ChosenObject> = {}, options: LtiOptions = {}): Promise<OpenedObject> {
  const lti = await startLti(options);
  const teacher = await lti.deps.launches.getLaunch(await lti.launchToken(), 'deep-linking');
  const [placement] = await lti.services.placements.place(teacher, [{ ...chosen, ...choice }]);
  const placementId = placement!.id;
  const custom = { [PLACEMENT_PARAMETER]: placementId };
  const { role: _, user: __, ...asTeacher } = resourceLinkLaunch;
  const post = (path: string, fields: Readonly<Record<string, string>>, headers: Record<string, string>) =>
    fetch(`${lti.url}/lti${path}`, {
      method: 'POST',
      body: new URLSearchParams({ placement: placementId, ...fields }),
      headers,
      redirect: 'manual',
    });
  async function read(address: string, init?: RequestInit): Promise<string> {
    const response = await fetch(address, init);
    if (!response.ok) throw new Error(`${address} answered with ${response.status}`);
    return response.text();
  }
  const teach: OpenedObject['teach'] = (overrides) => lti.launchToken({ ...asTeacher, custom, ...overrides });
  const teaching = async () => lti.deps.launches.getLaunch(await teach(), 'resource-link');
  return {
    ...lti,
    placementId,
    teach,
    find: async () => (await lti.services.placements.openLink(await teaching()))!,
    async replace(other) {
      await lti.services.placements.replace(await teaching(), { ...chosen, ...other });
    },
    launch: (overrides) => lti.launchToken({ ...resourceLinkLaunch, custom, ...overrides }),
    page: (path, token) => read(`${lti.url}/lti${path}?${new URLSearchParams({ launch: token })}`),
    part: (path, token) => read(`${lti.url}/lti${path}`, { headers: bearer(token) }),
    send: (path, token, fields = {}) => post(path, { launch: token, ...fields }, {}),
    sendByScript: (path, token, fields = {}) => post(path, fields, bearer(token)),
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** What a reader sees of a page. */
export function textOf(html: string): string {
  return html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Waits for the clock to move on, so that what is noted next is later than what was noted
 *  before. */
export async function awaitNextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise((done) => setImmediate(done));
}
