import type { Course, Person } from '../../demo/platform/model.ts';
import type { AdminBrowser } from '../../test/faces/admin/admin-browser.ts';
import { type FakePlatform, startFakePlatform } from '../../test/fakes/lti-platform.ts';
import { required } from '../required.ts';
import type { Lane } from './lanes.ts';
import type { DrawWords } from './words.ts';

interface CourseDeps {
  readonly url: string;
  readonly owner: AdminBrowser;
  readonly draw: DrawWords;
}

const LEARNERS = 300;
const COURSES = 40;
/** Links that stay in the platform (50 s): a score is sent when it can no longer be undone. */
const KEPT_LINKS = 20;

/** Where a launch leads, and the token of it. */
interface Opened {
  readonly text: string;
  readonly token: string;
}

/** A platform, and people who place objects in its courses and complete them. */
export async function createCourseLane({ url, owner, draw }: CourseDeps) {
  const platform = await startFakePlatform();
  addPeopleAndCourses(platform);
  await registerPlatform(platform, { url, owner });

  async function open(wish: Parameters<FakePlatform['launch']>[0]): Promise<Opened> {
    const { response, location } = await platform.launch(wish);
    await response.text();
    if (location === null) throw new Error(`a launch was answered with ${response.status}`);
    const token = required(location.searchParams.get('launch'), 'token');
    return { text: await read(await fetch(location)), token };
  }

  const post = async (path: string, fields: Readonly<Record<string, string>>) =>
    fetch(`${url}/lti${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

  /** @returns id of the link that is in the course then */
  async function place(course: string): Promise<string | null> {
    const { token } = await open({ course });
    const query = new URLSearchParams({ q: draw(1) });
    const headers = { authorization: `Bearer ${token}` };
    const results = await read(await fetch(`${url}/lti/picker/results?${query}`, { headers }));
    const handle = /data-handle="([^"]+)"/.exec(results)?.[1];
    const choice = { handle, title: draw(3), completion: 'marked', points: 10, target: null };
    const action = handle === undefined ? 'cancel' : 'choose';
    const chosen = JSON.stringify(handle === undefined ? [] : [choice]);
    const page = await read(await post('/picker/choose', { launch: token, action, chosen }));
    const returnUrl = required(/<form id="return"[^>]* action="([^"]+)"/.exec(page)?.[1], 'return address');
    const jwt = required(/name="JWT" value="([^"]+)"/.exec(page)?.[1], 'answer');
    await read(await platform.returnChoice(returnUrl.replaceAll('&amp;', '&'), jwt));
    return platform.outcomes.splice(0)[0]?.linkIds[0] ?? null;
  }

  async function complete(link: string, person: string): Promise<void> {
    const { text, token } = await open({ link, person });
    const placement = required(/name="placement" value="([^"]+)"/.exec(text)?.[1], 'placement');
    const about = { launch: token, placement };
    const answers = [
      await post('/object/done', about),
      await post('/object/feedback', { ...about, verdict: 'useful', comment: draw(8) }),
    ];
    for (const { status } of answers) if (status !== 303) throw new Error(`completing: ${status}`);
  }

  const placed: string[] = [];
  const lane: Lane = {
    name: 'course',
    everySeconds: 2.5,
    async act(turn) {
      const link = await place(`soak-${turn % COURSES}`);
      if (link === null) return;
      await complete(link, `learner-${turn % LEARNERS}`);
      await complete(link, `learner-${(turn + 7) % LEARNERS}`);
      // The platform of the tests remembers everything.
      placed.push(link);
      if (placed.length > KEPT_LINKS) platform.links.delete(required(placed.shift(), 'link'));
      platform.requests.length = 0;
    },
  };
  return { lane, refusals: platform.refusals, close: () => platform.close() };
}

async function read(answer: Response): Promise<string> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${new URL(answer.url).pathname} answered with ${answer.status}: ${wordsOf(text)}`);
  return text;
}

const wordsOf = (html: string) => html.replace(/^.*<main/s, '<main').replace(/(?:<[^>]*>|\s)+/g, ' ');

function addPeopleAndCourses({ people, courses }: FakePlatform): void {
  for (let at = 0; at < LEARNERS; at++) {
    const id = `learner-${at}`;
    const named = { givenName: 'Lea', familyName: `Learner ${at}`, email: `${id}@school.example` };
    (people as Map<string, Person>).set(id, { id, ...named, role: 'learner', isEnrolled: true });
  }
  for (let at = 0; at < COURSES; at++) {
    const course: Course = { id: `soak-${at}`, label: `S${at}`, title: `Course ${at}`, history: [] };
    courses.set(course.id, course);
  }
}

/** Makes the platform that of the host's default tenant. */
export async function registerPlatform(
  platform: FakePlatform,
  { url, owner }: Omit<CourseDeps, 'draw'>,
): Promise<void> {
  const { clientId, deploymentId } = platform.addTool(url);
  const { issuer, authorizationEndpoint, tokenEndpoint, jwksUri } = platform.detailsOf(clientId);
  const answer = await owner.post('/tenants/default/registrations/manual', {
    name: 'Bench',
    product: 'moodle',
    issuer,
    clientId,
    deploymentId,
    tokenAudience: '',
    authorizationEndpoint,
    tokenEndpoint,
    jwksUri,
  });
  if (answer.status !== 303) throw new Error(`registering was answered with ${answer.status}`);
}
