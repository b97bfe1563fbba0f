import { z } from 'zod';
import type { SlackAppForm } from '#services/people/slack/validate-slack-app';
import type { AdminDeps } from '../deps.ts';
import { type FormState, fillForm, readForm, refuseForm } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { describeSlack, type SlackDescription, writeSlackManifest } from './describe-slack.ts';

const PATH = '/workspaces/app';

const textField = z.string().default('');

/** As the service takes it; the service says what is wrong. */
const slackAppForm = z.object({ clientId: textField, clientSecret: textField, signingSecret: textField });

const secretNames = ['clientSecret', 'signingSecret'] as const;

/** The characters of a client ID: anything else may be a secret in the wrong field. */
const CLIENT_ID = /^[\d. ]*$/;

/** The Slack app of this host: its manifest for everybody, its secrets for owners. */
export const slackAppRoutes: AdminRoute[] = [
  { method: 'get', path: PATH, access: 'viewer', handle: (_context, deps) => showSlackApp(deps) },
  { method: 'post', path: PATH, access: 'owner', handle: saveSlackApp },
  {
    method: 'get',
    path: `${PATH}/remove`,
    access: 'owner',
    handle: (_context, deps) => showRemoveSlackApp(deps),
  },
  { method: 'post', path: `${PATH}/remove`, access: 'owner', handle: removeSlackApp },
  {
    method: 'get',
    path: '/workspaces/manifest.yml',
    access: 'viewer',
    handle: (_context, deps) => ({
      kind: 'download',
      name: 'manifest.yml',
      type: 'text/yaml; charset=utf-8',
      lines: manifestLines(deps),
    }),
  },
];

async function showSlackApp(deps: AdminDeps, form?: FormState, status = 200): Promise<Reply> {
  const slack = await describeSlack(deps);
  const shown = withoutSecrets(form ?? fillForm({ clientId: slack.settings.clientId ?? '' }));
  return makePage('slack-app', { slack, form: shown }, { status });
}

async function saveSlackApp({ form, t, actor }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { languages, slackCredentials } = deps;
  const read = readForm<SlackAppForm>(form, { schema: slackAppForm, t });
  if ('state' in read) return showSlackApp(deps, read.state, 422);
  try {
    await slackCredentials.save(actor, read.data);
    return makeRedirect(PATH, 'slack-app-saved');
  } catch (error) {
    return showSlackApp(deps, refuseForm(error, { form, t, languages }), 422);
  }
}

async function showRemoveSlackApp(deps: AdminDeps): Promise<Reply> {
  const { slackInstallations } = deps;
  const [{ state }, { total }] = await Promise.all([
    describeSlack(deps),
    slackInstallations.listInstallations({ scope: null, search: '', page: 0, pageSize: 1 }),
  ]);
  if (!isOwn(state)) return makeRedirect(PATH);
  return makePage('slack-app-remove', { workspaces: total });
}

async function removeSlackApp({ actor }: SignedInContext, { slackCredentials }: AdminDeps): Promise<Reply> {
  await slackCredentials.remove(actor);
  return makeRedirect(PATH, 'slack-app-removed');
}

async function* manifestLines(deps: AdminDeps) {
  const { publicUrl } = deps;
  yield writeSlackManifest({ publicUrl, usesSocketMode: deps.slackSocketMode });
}

/** Whether the app was saved on this page. */
const isOwn = (state: SlackDescription['state']): boolean => state === 'saved' || state === 'unreadable';

/** Secrets are never sent back, in whatever field they were typed. The page says which have to be
 *  typed again. */
function withoutSecrets(form: FormState): FormState & { readonly isTyped: Record<string, boolean> } {
  const { clientId = '' } = form.values;
  const values = { clientId: CLIENT_ID.test(clientId) ? clientId : '' };
  const isTyped = Object.fromEntries(secretNames.map((name) => [name, Boolean(form.values[name])]));
  return {
    values,
    problems: form.problems,
    all: (field) => (field === 'clientId' ? [values.clientId] : []),
    isTyped,
  };
}
