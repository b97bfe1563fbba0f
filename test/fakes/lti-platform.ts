import { createLtiPlatform, paths } from '../../demo/platform/lti-platform.ts';
import { createPlatformState } from '../../demo/platform/model.ts';
import type { PlatformDetails } from '../../src/domain/lti/registration.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { createFakeCourseChanges, fakeCourses, fakePeople } from './lti/course.ts';
import { createFakeAnswers } from './lti/fake-answers.ts';
import type { FakePlatform, FakePlatformOptions, FakeRecords, LaunchWish } from './lti/fake-platform.ts';
import { createFakeKeys } from './lti/keys.ts';
import { createLaunchFlow } from './lti/launch-flow.ts';
import { traitsOf } from './lti/modes.ts';
import { coursePage, registrationPage } from './lti/pages.ts';
import { createFakeRegistration } from './lti/registration.ts';
import { type Answer, listen } from './lti/server.ts';

export type { FakePlatform, FakePlatformOptions, LaunchWish } from './lti/fake-platform.ts';
export type { PreparedLaunch, SentLaunch } from './lti/launch-flow.ts';

const MAX_LINKS = 1000;
const SHARED_ISSUER = 'https://canvas.instructure.com';

/** A strict LTI 1.3 platform on a real socket, at another site than the tool's. The protocol is
 *  that of the course site of the host; products' ways, bad tokens and failures are its own. */
export async function startFakePlatform(options: FakePlatformOptions = {}): Promise<FakePlatform> {
  const { mode = 'moodle', platformStorage = false, host = '127.0.0.1', clock = systemClock } = options;
  const state = createPlatformState(fakePeople, fakeCourses);
  const records: FakeRecords = {
    refusals: [],
    outcomes: [],
    requests: [],
    registrations: [],
    windowMessages: [],
  };
  let isReady: () => void = () => {};
  const ready = new Promise<void>((done) => {
    isReady = done;
  });
  let answer: Parameters<typeof listen>[1] = () => Promise.reject(new Error('not yet'));
  const server = await listen(host, (request) => ready.then(() => answer(request)));
  const { url } = server;
  const issuer =
    mode === 'canvas' && options.hasSharedIssuer !== false ? SHARED_ISSUER : url + (options.sitePath ?? '');
  const addresses = {
    authorization: url + paths.authorization,
    keys: url + paths.keys,
    token: url + paths.token,
  };
  const traits = traitsOf(mode, platformStorage);
  const keys = createFakeKeys();
  const platform = createLtiPlatform({
    issuer,
    browserUrl: url,
    serviceUrl: url,
    traits,
    state,
    keys,
    clock,
    maxLinks: MAX_LINKS,
    onRefusal: (refusal) => records.refusals.push(refusal),
  });
  const registration = createFakeRegistration({
    mode,
    issuer,
    url,
    addresses,
    add: (tool) => state.tools.set(tool.clientId, tool),
    note: (sent) => records.registrations.push(sent),
  });
  const answers = createFakeAnswers({ platform, registration, records });
  answer = answers.answer;
  isReady();
  const flow = createLaunchFlow({ keys, authorizationEndpoint: addresses.authorization });
  const { toMessage, ...changes } = createFakeCourseChanges(state);
  const prepareLaunch = (wish: LaunchWish = {}) => flow.prepare(platform.launch(toMessage(wish)), wish);

  function registrationUrl(toolRegisterUrl: string, updates?: string): string {
    const opened = new URL(toolRegisterUrl);
    opened.searchParams.set('openid_configuration', `${url}/.well-known/openid-configuration`);
    opened.searchParams.set('registration_token', registration.makeToken(updates));
    return opened.href;
  }

  const detailsOf = (clientId: string): PlatformDetails => ({
    issuer,
    clientId,
    name: `Fake ${mode}`,
    product: mode === 'edx' ? 'generic' : mode,
    authorizationEndpoint: addresses.authorization,
    tokenEndpoint: addresses.token,
    tokenAudience: null,
    jwksUri: mode === 'edx' ? `${url}/api/lti_consumer/v1/public_keysets/block` : addresses.keys,
    acceptsNewDeployments: true,
  });

  return {
    url,
    issuer,
    ...state,
    ...records,
    ...changes,
    detailsOf,
    registrationUrl,
    registrationPageUrl: (toolRegisterUrl, updates) =>
      url + answers.keepPage(registrationPage(registrationUrl(toolRegisterUrl, updates))),
    rotateKeys: (options) => keys.rotate(options),
    answerWith: (endpoint, { headers = {}, body = '', status }: Partial<Answer> & { status: number }, times = 1) =>
      answers.force(endpoint, { status, headers, body }, times),
    sendCopies: platform.sendCopies,
    prepareLaunch,
    sendLaunch: (prepared) => flow.send(prepared),
    launch: async (wish) => flow.send(await prepareLaunch(wish)),
    launchPageUrl({ framed: isFramed = true, width = 770, height = 578, ...wish } = {}) {
      const message = toMessage(wish);
      const { title } = state.courses.get(message.courseId)!;
      const login = platform.launch(message);
      const { storageTarget } = traits;
      return url + answers.keepPage(coursePage({ title, login, isFramed, storageTarget, size: { width, height } }));
    },
    returnChoice: (returnUrl, jwt) =>
      fetch(returnUrl, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ JWT: jwt }) }),
    stop: () => server.stop(),
    restart: () => server.restart(),
    close: () => server.stop(),
  };
}
