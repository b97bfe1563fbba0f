import express, { type Request, type Response, type Router } from 'express';
import type { Problem } from '#errors';
import { createStrictRouter } from '#faces/strict-paths';
import { checkMessage } from '../block-kit/check.ts';
import type { Grant } from '../grants.ts';
import type { SlackParts } from '../parts.ts';
import { readRefusal, refuseCall } from '../refusal.ts';
import type { Answer } from '../response-urls.ts';
import { createChatMethods } from './chat.ts';
import { createInstallingMethods } from './installing.ts';
import { type Call, type Method, readCall } from './method.ts';
import { createPeopleMethods } from './people.ts';
import type { Throttle } from './throttle.ts';
import { createViewMethods } from './views.ts';

interface WebApiDeps {
  readonly throttle: Throttle;
  /** Told of each call before it is answered. */
  onCall(method: string, call: Call): void;
}

const MAX_BODY = '4mb';
/** What cannot be read says nothing. */
const noCall: Call = { token: null, args: {} };

/** `/api/<method>` and `/responses/…` as Slack has them. What breaks a rule is refused in Slack's
 *  words, and reported. */
export function createWebApi(slack: SlackParts, { throttle, onCall }: WebApiDeps): Router {
  const methods = new Map<string, Method>(
    Object.entries({
      ...createChatMethods(slack),
      ...createViewMethods(slack),
      ...createPeopleMethods(slack),
      ...createInstallingMethods(slack),
    }),
  );

  // Slack's library says the workspace with every call.
  function answer(name: string, { token, args: { team_id, ...args } }: Call): object {
    const method = methods.get(name) ?? refuseCall('unknown_method', [{ path: name, problem: 'is not known here' }]);
    const grant = method.scope === undefined ? null : findGrant(token);
    if (method.scope && !grant?.scopes.includes(method.scope)) {
      refuseCall('missing_scope', [{ path: 'scope', problem: `${method.scope} is not granted` }]);
    }
    if (team_id !== undefined && !isOf(grant, team_id)) refuseCall('team_access_not_granted');
    const parsed = method.args.safeParse(args);
    if (!parsed.success) refuseCall('invalid_arguments', parsed.error.issues.map(toProblem));
    return method.run({ args: parsed.data, grant });
  }

  function findGrant(token: string | null): Grant {
    if (token === null) refuseCall('not_authed', [{ path: 'token', problem: 'is missing' }]);
    const refuse = () => refuseCall(slack.grants.isRevoked(token) ? 'account_inactive' : 'invalid_auth');
    return slack.grants.find(token) ?? refuse();
  }

  const isOf = (grant: Grant | null, teamId: unknown) =>
    grant !== null && typeof teamId === 'string' && slack.grants.covers(grant, teamId);

  function isThrottled(response: Response, name: string, token: string | null): boolean {
    const seconds = throttle.take(name, token);
    if (seconds === null) return false;
    response.status(429).set('retry-after', String(seconds)).json({ ok: false, error: 'ratelimited' });
    return true;
  }

  /** What Slack answers, or the refusal and its report. */
  function attempt(name: string, work: () => object): { readonly ok: boolean; readonly error?: string } {
    try {
      return { ok: true, ...work() };
    } catch (thrown) {
      const refusal = readRefusal(thrown);
      if (refusal === null) throw thrown;
      const { error, messages } = refusal;
      for (const message of messages) slack.onProblem(`${name}: ${error}: ${message}`);
      return { ok: false, error, ...(messages.length > 0 ? { response_metadata: { messages } } : {}) };
    }
  }

  function call(request: Request, response: Response): void {
    const name = String(request.params.method);
    const read = readCall(request) ?? noCall;
    onCall(name, read);
    if (!isThrottled(response, name, read.token)) response.json(attempt(name, () => answer(name, read)));
  }

  function respond(request: Request, response: Response): void {
    const { args } = readCall(request) ?? noCall;
    onCall('response_url', { token: null, args });
    if (isThrottled(response, 'response_url', null)) return;
    const answered = attempt('response_url', () => {
      const problems = checkMessage(args, { sent: args.response_type === 'in_channel' });
      if (problems.length > 0) refuseCall('invalid_blocks', problems);
      slack.responseUrls.use(request.path.slice('/responses/'.length), args as Answer);
      return {};
    });
    if (answered.ok) response.type('text').send('ok');
    else response.status(answered.error?.endsWith('_url') ? 404 : 400).json(answered);
  }

  return createStrictRouter()
    .use(express.text({ type: () => true, limit: MAX_BODY }))
    .post('/api/:method', call)
    .post('/responses/:team/:number/:secret', respond);
}

const toProblem = ({ path, message }: { path: PropertyKey[]; message: string }): Problem => ({
  path: path.join('.'),
  problem: message,
});
