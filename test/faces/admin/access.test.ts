import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AdminRole } from '../../../src/domain/admin.ts';
import type { AppError } from '../../../src/errors.ts';
import { requireAccess } from '../../../src/faces/admin/access.ts';
import type { AdminRoute, PageContext } from '../../../src/faces/admin/route.ts';
import { adminFaceRoutes } from '../../../src/faces/admin/routes.ts';
import { hasAccess } from '../../../src/services/tenants/assistants/access.ts';
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

  test('lets viewers and auditors send only what concerns themselves', () => {
    const sentBy = (access: AdminRoute['access']) =>
      routes.filter((route) => isPost(route) && route.access === access).map(nameOf);
    expect([...sentBy('viewer'), ...sentBy('auditor')]).toEqual(['POST /account/assistants/shelf']);
    expect(sentBy('account').sort()).toEqual([
      'POST /account/assistants/:grantId/end',
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

  test('keeps administrators and the system for owners, and auditors who look', () => {
    const ours = routes.filter(({ path }) => /^\/(?:admins|system)/.test(path));
    expect(ours.length).toBeGreaterThan(5);
    const others = ours.filter(({ access }) => access !== 'owner');
    expect(others.map(nameOf).sort()).toEqual([
      'GET /admins',
      'GET /admins/:adminId',
      'GET /system',
      'GET /system/backups',
    ]);
    expect(others.filter(({ access }) => access !== 'auditor')).toEqual([]);
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
  ['viewer', ['auditor', 'manager', 'owner']],
  ['auditor', ['auditor', 'manager', 'owner']],
  ['manager', ['auditor', 'owner']],
])('a %s is refused on every route for %j', async (role, above) => {
  const browser = await admin.signInAs(role, ['lyon']);
  const wrong = await findWrong(
    (route) => above.some((each) => each === route.access),
    (route) => expectStatus(request(browser, route), 403),
  );
  expect(wrong).toEqual([]);
});

test('an auditor of every tenant sees what is not for changing, and sends nothing but what is of the account', async () => {
  // Signing out comes last.
  const browser = await admin.signInAs('auditor');
  const isOwn = ({ access }: AdminRoute) => access === 'anyone' || access === 'account';
  const isSeen = (route: AdminRoute) => !isPost(route) && (route.access === 'viewer' || route.access === 'auditor');
  const refused = await findWrong(
    (route) => !isOwn(route) && !isSeen(route),
    async (route) => {
      const answer = await request(browser, route);
      const text = await answer.text();
      if (answer.status !== 403) return `answered with ${answer.status}`;
      return text.includes('Ask a manager of the tenant or an owner to do it.') ? null : 'does not say whom to ask';
    },
  );
  expect(refused).toEqual([]);
  const open = await findWrong(isSeen, async (route) => {
    const { status } = await request(browser, route);
    return status === 403 || (status >= 400 && !/:(?!tenantId)/.test(route.path)) ? `answered with ${status}` : null;
  });
  expect(open).toEqual([]);
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const headers = { cookie: [...browser.cookies].map((each) => each.join('=')).join('; ') };
    expect((await fetch(`${admin.url}/admin/tenants`, { method, headers })).status).toBe(404);
  }
  const overrides = { 'x-http-method-override': 'GET', 'x-http-method': 'GET', 'x-method-override': 'GET' };
  const overridden = await browser.post(
    '/tenants?_method=GET',
    { name: 'New', _method: 'GET' },
    { headers: overrides },
  );
  expect(overridden.status).toBe(403);
  expect((await browser.post('/sign-out')).status).toBe(303);
});

test('a route that nobody thought of is closed to auditors', async () => {
  const browser = await admin.signInAs('auditor');
  const token = browser.cookies.get('skilldock_session')!;
  const signedIn = await admin.deps.sessions.findSession(token);
  const codes = (['get', 'post'] as const).flatMap((method) =>
    (['viewer', 'auditor', 'manager', 'owner'] as const).map((access) => {
      const context = { signedIn, params: {}, request: { method: method.toUpperCase() }, caller: {} };
      try {
        requireAccess({ access }, context as unknown as PageContext);
        return `${method} ${access}`;
      } catch (error) {
        return (error as AppError).code;
      }
    }),
  );
  const closed = 'ROLE_READS_ONLY';
  expect(codes).toEqual(['get viewer', 'get auditor', closed, closed, closed, closed, closed, closed]);
});

test('an auditor lets no assistant in, and one from before stops', async () => {
  const grants = admin.deps.assistants;
  const { id } = await grants.clients.register({ name: 'Helper', redirectUris: ['https://a.example/cb'] }, 'address');
  const begin = () =>
    grants.authorizations.begin({
      address: 'address',
      clientId: id,
      redirectUri: 'https://a.example/cb',
      responseType: 'code',
      state: undefined,
      scope: undefined,
      resource: undefined,
      codeChallenge: 'x'.repeat(43),
      codeChallengeMethod: 'S256',
    });
  const browser = await admin.signInAs('auditor');
  const requestId = await begin();
  const page = await browser.page(`/connect/${requestId}`);
  expect(page).toContain('As an auditor you see everything and change nothing.');
  expect(page).not.toContain('value="yes"');
  const answer = await browser.post(`/connect/${requestId}`, { answer: 'yes', tenant: 'lyon' });
  expect(answer.status).toBe(403);
  const grant = { adminId: browser.id, registrationId: null, tenantId: 'lyon' };
  const deps = { ...admin.store, clock: admin.clock };
  expect(await hasAccess(deps, grant)).toBe(false);
  expect(await hasAccess(deps, { ...grant, adminId: owner.id })).toBe(true);
});

test('a manager of another tenant is refused on every route of a tenant and every one of owners', async () => {
  const wrong = await findWrong(
    (route) => hasTenant(route) || route.access === 'owner' || route.access === 'auditor',
    (route) => expectStatus(request(foreignManager, route), /^(?:owner|auditor)$/.test(route.access) ? 403 : 404),
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
