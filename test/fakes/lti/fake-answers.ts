import type { LtiPlatform } from '../../../demo/platform/lti-platform.ts';
import type { Endpoint, PlatformRequest } from '../../../demo/platform/request.ts';
import type { FakeRecords } from './fake-platform.ts';
import { storagePage } from './pages.ts';
import type { FakeRegistration, RegistrationReply } from './registration.ts';
import { type Answer, html, json, toAnswer } from './server.ts';

export interface FakeAnswersDeps {
  readonly platform: LtiPlatform;
  readonly registration: FakeRegistration;
  readonly records: FakeRecords;
}

/** What the fake answers: failures that were arranged, pages and the registration of its own, and the protocol. */
export function createFakeAnswers({ platform, registration, records }: FakeAnswersDeps) {
  const forced = new Map<string, { readonly answer: Answer; times: number }>();
  const pages = new Map<string, string>();

  const own: Readonly<Record<string, (request: PlatformRequest) => Answer>> = {
    '/.well-known/openid-configuration': ({ headers }) =>
      registrationAnswer(registration.openidConfiguration(headers.authorization)),
    '/register': ({ headers, body }) =>
      registrationAnswer(
        registration.register({
          authorization: headers.authorization,
          contentType: headers['content-type'],
          body,
        }),
      ),
    '/storage': () => html(storagePage()),
    '/noted': ({ body }) => {
      records.windowMessages.push(JSON.parse(body) as FakeRecords['windowMessages'][number]);
      return { status: 204, headers: {}, body: '' };
    },
    '/return': () => html('<p>Back in the course</p>'),
    '/page': ({ query }) => html(pages.get(query.get('id') ?? '') ?? 'There is no such page'),
  };

  return {
    async answer(sent: PlatformRequest): Promise<Answer> {
      const request = { ...sent, path: sent.path.replace(OPEN_EDX_KEYS, '/keys') };
      records.requests.push(request);
      const wanted = forced.get(endpointOf(request.path));
      if (wanted !== undefined && wanted.times-- > 0) return wanted.answer;
      const page = own[request.path];
      if (page !== undefined) return page(request);
      const reply = await platform.answer(request);
      if (reply?.kind === 'chosen') records.outcomes.push(reply.outcome);
      return reply === null ? { status: 404, headers: {}, body: 'Nothing is here' } : toAnswer(reply);
    },
    force(endpoint: Endpoint | 'register' | '.well-known', answer: Answer, times: number): void {
      forced.set(endpoint, { answer, times });
    },
    /** @returns the path where it is shown */
    keepPage(text: string): string {
      const id = String(pages.size + 1);
      pages.set(id, text);
      return `/page?id=${id}`;
    },
  };
}

/** Where Open edX has its keys, as well as where the others have them. */
const OPEN_EDX_KEYS = /^\/api\/lti_consumer\/v1\/public_keysets\/\w+$/;

const registrationAnswer = ({ status, body }: RegistrationReply): Answer =>
  typeof body === 'string' ? { status, headers: { 'content-type': 'text/plain' }, body } : json(body, status);

function endpointOf(path: string): string {
  if (path.endsWith('/scores')) return 'scores';
  const first = path.split('/')[1] ?? '';
  return first === 'authorize' ? 'authorization' : first;
}
