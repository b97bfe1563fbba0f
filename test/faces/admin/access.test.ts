import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AdminRole } from '../../../src/domain/admin.ts';
import type { AdminRoute } from '../../../src/faces/admin/route.ts';
import { adminFaceRoutes } from '../../../src/faces/admin/routes.ts';
import { createFakeOidc } from '../../fakes/oidc.ts';
import type { AdminBrowser } from './admin-browser.ts';
import { type RunningAdmin, type SignedInBrowser, startAdmin } from './start-admin.ts';

let admin: RunningAdmin;
let routes: readonly AdminRoute[];
let stranger: AdminBrowser;
let viewer: SignedInBrowser;
let foreignManager: SignedInBrowser;
let foreignViewer: SignedInBrowser;
let owner: SignedInBrowser;

beforeAll(async () => {
  admin = await startAdmin({ oidc: createFakeOidc() });
  routes = adminFaceRoutes;
  await admin.addTenant('Lyon');
  await admin.addTenant('Paris');
  stranger = admin.visit();
  viewer = await admin.signInAs('viewer', ['lyon']);
  foreignViewer = await admin.signInAs('viewer', ['paris']);
  foreignManager = await admin.signInAs('manager', ['paris']);
  owner = await admin.signInAs('owner');
});
afterAll(() => admin.close());

/** The route's address, of things of the tenant `lyon`. */
function addressOf({ path }: AdminRoute): string {
  return path.replaceAll(':tenantId', 'lyon').replace(/:\w+/g, 'some-id');
}

const nameOf = ({ method, path }: AdminRoute) => `${method.toUpperCase()} ${path}`;

function request(browser: AdminBrowser, route: AdminRoute): Promise<Response> {
  const address = addressOf(route);
  return route.method === 'get' ? browser.get(address) : browser.post(address);
}

/** The routes that are wrong, by name; none should be. */
async function findWrong(
  concerned: (route: AdminRoute) => boolean,
  check: (route: AdminRoute) => Promise<string | null>,
): Promise<string[]> {
  const wrong: string[] = [];
  const walked = routes.filter(concerned);
  expect(walked.length).toBeGreaterThan(0);
  for (const route of walked) {
    const problem = await check(route);
    if (problem !== null) wrong.push(`${nameOf(route)}: ${problem}`);
  }
  return wrong;
}

const hasTenant = ({ path }: AdminRoute) => path.includes(':tenantId');
const isOpen = ({ access }: AdminRoute) => access === 'anyone';
const isPost = ({ method }: AdminRoute) => method === 'post';

async function expectStatus(answer: Promise<Response>, ...statuses: number[]): Promise<string | null> {
  const { status } = await answer;
  return statuses.includes(status) ? null : `answered with ${status}`;
}

describe('the route table', () => {
  test('has no route twice', () => {
    const names = routes.map(nameOf);
    expect(names).toEqual([...new Set(names)]);
  });

  test('leaves open only what leads to signing in, the choice of a language, and what asks a teacher for a code', () => {
    expect(routes.filter(isOpen).map(nameOf).sort()).toEqual([
      'GET /connect/:requestId',
      'GET /link/:token',
      'GET /oidc/callback',
      'GET /sign-in',
      'POST /connect/:requestId',
      'POST /language',
      'POST /link/:token',
      'POST /oidc/begin',
      'POST /sign-in',
      'POST /sign-in/code',
    ]);
  });

  test('lets viewers send only what concerns themselves', () => {
    const sent = routes.filter((route) => isPost(route) && route.access === 'viewer');
    expect(sent.map(nameOf).sort()).toEqual([
      'POST /account/assistants/:grantId/end',
      'POST /account/assistants/shelf',
      'POST /account/password',
      'POST /account/second-factor',
      'POST /account/second-factor/remove',
      'POST /account/sessions/:sessionId/end',
      'POST /account/sign-out-everywhere',
      // Cookies of the browser: hints that are hidden, and the tenant that is looked at.
      'POST /concerns',
      'POST /sign-out',
      'POST /switch',
    ]);
  });

  test('keeps administrators and the system for owners', () => {
    const ours = routes.filter(({ path }) => /^\/(?:admins|system)/.test(path));
    expect(ours.length).toBeGreaterThan(5);
    expect(ours.filter(({ access }) => access !== 'owner').map(nameOf)).toEqual([]);
  });

  test('lets nobody change a tenant who may only look', () => {
    const changing = routes.filter((route) => isPost(route) && hasTenant(route));
    expect(changing.filter(({ access }) => access === 'viewer').map(nameOf)).toEqual([]);
  });

  test('nowhere takes a tenant from anything but the checked place in the path', () => {
    const parameters = routes.flatMap(({ path }) => path.match(/\/tenants\/:\w+/g) ?? []);
    expect(new Set(parameters)).toEqual(new Set(['/tenants/:tenantId']));
  });
});

test('whoever is not signed in is sent to the sign-in page, on every route', async () => {
  const wrong = await findWrong(
    (route) => !isOpen(route),
    async (route) => {
      const answer = await request(stranger, route);
      const to = answer.headers.get('location') ?? '';
      return answer.status === 303 && to.startsWith('/admin/sign-in') ? null : `${answer.status} ${to}`;
    },
  );
  expect(wrong).toEqual([]);
});

test.each<[AdminRole, readonly AdminRole[]]>([
  ['viewer', ['manager', 'owner']],
  ['manager', ['owner']],
])('a %s is refused on every route for %j', async (role, above) => {
  const browser = await admin.signInAs(role, ['lyon']);
  const wrong = await findWrong(
    (route) => above.some((each) => each === route.access),
    (route) => expectStatus(request(browser, route), 403),
  );
  expect(wrong).toEqual([]);
});

test('a manager of another tenant is refused on every route of a tenant and every one of owners', async () => {
  const wrong = await findWrong(
    (route) => hasTenant(route) || route.access === 'owner',
    (route) => expectStatus(request(foreignManager, route), ...(route.access === 'owner' ? [403] : [404])),
  );
  expect(wrong).toEqual([]);
});

test('a viewer of another tenant is refused on every route of a tenant', async () => {
  const wrong = await findWrong(hasTenant, (route) =>
    expectStatus(request(foreignViewer, route), ...(route.access === 'viewer' ? [404] : [403])),
  );
  expect(wrong).toEqual([]);
});

test('somebody else’s tenant is answered like one that does not exist', async () => {
  const texts = await Promise.all(['/tenants/lyon', '/tenants/nowhere'].map((path) => foreignManager.page(path, 404)));
  const [theirs, nobodys] = texts.map((text) =>
    text.replace(/<code>[^<]*<\/code>|value="[^"]*"/g, '').replaceAll('nowhere', 'lyon'),
  );
  expect(theirs).toBe(nobodys);
});

test('every route that a viewer may see answers them', async () => {
  const wrong = await findWrong(
    (route) => route.access === 'viewer' && route.method === 'get' && !/:(?!tenantId)/.test(route.path),
    (route) => expectStatus(request(viewer, route), 200),
  );
  expect(wrong).toEqual([]);
});

test('no form is taken without its token, on any route, open or not', async () => {
  const wrong = await findWrong(isPost, async (route) => {
    const browser = isOpen(route) ? stranger : owner;
    const refusals = [null, '', 'made up', await (isOpen(route) ? owner : viewer).findCsrf()].map((csrf) =>
      expectStatus(browser.post(addressOf(route), {}, { csrf }), 403),
    );
    return (await Promise.all(refusals)).find((problem) => problem !== null) ?? null;
  });
  expect(wrong).toEqual([]);
});

test('no form is taken that another site sends, even with the token', async () => {
  const wrong = await findWrong(isPost, async (route) => {
    const browser = isOpen(route) ? stranger : owner;
    const refusals = ['cross-site', 'same-site'].map((site) =>
      expectStatus(browser.post(addressOf(route), {}, { headers: { 'sec-fetch-site': site } }), 403),
    );
    return (await Promise.all(refusals)).find((problem) => problem !== null) ?? null;
  });
  expect(wrong).toEqual([]);
  // Nothing of all that has ended the session.
  expect((await owner.get('/account')).status).toBe(200);
});

test('a form of our own page is taken', async () => {
  const answer = await owner.post('/language', { language: 'fr' }, { headers: { 'sec-fetch-site': 'same-origin' } });
  expect(answer.status).toBe(303);
});

test('every page for which somebody is signed in is kept by nobody', async () => {
  const wrong = await findWrong(
    ({ method }) => method === 'get',
    async (route) => {
      const { headers } = await request(owner, route);
      return headers.get('cache-control') === 'no-store' ? null : `${headers.get('cache-control')}`;
    },
  );
  expect(wrong).toEqual([]);
});
