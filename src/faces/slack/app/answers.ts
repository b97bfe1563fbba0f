import type { types, ViewResponseAction } from '@slack/bolt';
import { finishInTime } from '#domain/async/deadline';
import { slackLinkScopes } from '#domain/slack';
import type { KnownBlock, ModalView } from '../blocks/block-kit.ts';
import { objectSection } from '../blocks/messages.ts';
import type { ListenerOf, Reply, SlackContext, ViewAnswer } from '../listener.ts';
import { sendWithPictures, toMessageBody } from '../slack-api/slack-calls.ts';
import { type AnswerDeps, findListener, joinFieldErrors, toReplacement } from './call-listener.ts';
import { isBusyFailure, writeFailureLine, writeFailureMessage } from './failures.ts';
import { findPersonWordsInTime } from './person-words.ts';
import { createLateError } from './request-limits.ts';
import { admitRequest, loadContext, runListener } from './run-listener.ts';
import { drawDoneWindow, drawWaitingWindow, openWaitingWindow, redrawForm, showReply } from './show-reply.ts';
import type { Ack, OpenView, SlackRequest } from './slack-request.ts';
import { acknowledge, measureRequestMs, toSlackView } from './slack-request.ts';

interface SubmittedForm {
  readonly deps: AnswerDeps;
  readonly request: SlackRequest;
  readonly listener: ListenerOf<'view'>;
  readonly view: OpenView;
}

type Show = ViewAnswer['show'];
type Decision = ViewAnswer | { readonly error: unknown };

/** Leaves time to write an error: after 2.5 s `bolt-app.ts` acknowledges, closing the modal. */
const READY_MS = 1_800;

/** Answers a form. It stays open if refused, waits if late, and comes back if refused then. */
export async function answerForm(deps: AnswerDeps, request: SlackRequest, ack: Ack): Promise<void> {
  const { view, call } = request;
  const listener = findListener(deps.listeners, 'view', call.name);
  if (view === null || listener === null) return void (await acknowledge(ack));
  const form = { deps, request, listener, view };
  try {
    if (!(await admitForm(form))) return void (await acknowledge(ack));
  } catch (error) {
    return void (await acknowledge(ack, toViewResponse(await refuseForm(form, error))));
  }
  const deciding = decideForm(form);
  const decision = await finishInTime(deciding, READY_MS - measureRequestMs(request));
  if (decision === null) return answerFormLate(form, deciding, ack);
  const show = 'error' in decision ? await refuseForm(form, decision.error) : decision.show;
  const isAcknowledged = await acknowledge(ack, toViewResponse(show));
  if (isAcknowledged && !('error' in decision)) await finishForm(form, decision, show);
}

/** @returns false for a repetition. Errors: SLACK_LATE, of `loadContext` and `admitRequest`. */
async function admitForm({ deps, request }: SubmittedForm): Promise<boolean> {
  const admit = async () => {
    const context = await loadContext(deps, request);
    // A late form needs the words at once.
    void context.words();
    return admitRequest(deps, request, context);
  };
  const isFirst = await finishInTime(admit(), READY_MS - measureRequestMs(request));
  if (isFirst === null) throw createLateError();
  return isFirst;
}

async function decideForm({ deps, request, listener, view }: SubmittedForm): Promise<Decision> {
  const { context } = request;
  if (context === null) return { error: createLateError() };
  try {
    return await deps.limits.runInTurn(context, request, () => listener.handle(context, toSlackView(view)));
  } catch (error) {
    return { error };
  }
}

async function refuseForm({ deps, request, view }: SubmittedForm, error: unknown): Promise<Show> {
  const line = await writeFailureLine(deps, request, error);
  const input = view.blocks?.find(({ type }) => type === 'input')?.block_id;
  if (input !== undefined) return { kind: 'errors', errors: { [input]: line } };
  return { kind: 'update', view: redrawForm(view, line) };
}

function toViewResponse(show: Show): ViewResponseAction | undefined {
  if (show.kind === 'update') return { response_action: 'update', view: show.view };
  return show.kind === 'errors' ? { response_action: 'errors', errors: { ...show.errors } } : undefined;
}

async function answerFormLate(form: SubmittedForm, deciding: Promise<Decision>, ack: Ack): Promise<void> {
  const { deps, request, view } = form;
  const words = await findPersonWordsInTime(request.context, deps.personWords);
  await acknowledge(ack, { response_action: 'update', view: drawWaitingWindow(words) });
  const decision = await deciding;
  const decided =
    'error' in decision
      ? redrawForm(view, await writeFailureLine(deps, request, decision.error))
      : drawLateForm(decision.show, view, drawDoneWindow(words));
  await showReply(deps, request, { kind: 'modal', view: decided }, { waitingView: view.id });
  if (!('error' in decision)) await finishForm(form, decision, { kind: 'update', view: decided });
}

/** Slack can only change a modal that waits, but neither close it nor show errors at its fields. */
function drawLateForm(show: Show, view: OpenView, done: ModalView): ModalView {
  if (show.kind === 'update') return show.view;
  return show.kind === 'errors' ? redrawForm(view, joinFieldErrors(show.errors)) : done;
}

async function finishForm(form: SubmittedForm, answer: ViewAnswer, show: Show): Promise<void> {
  const { deps, request, view } = form;
  const { afterwards, isRepeatable = false } = answer;
  const { context } = request;
  if (afterwards === undefined || context === null) return;
  request.isRepeatable = isRepeatable;
  const reply = await deps.limits
    .runInTurn(context, request, afterwards)
    .catch(async (error: unknown): Promise<Reply> => {
      const message = await writeFailureMessage(deps, request, error);
      const before = show.kind === 'update' && !isRepeatable ? (show.view.blocks as KnownBlock[]) : [];
      return { kind: 'message', message: { ...message, blocks: [...before, ...message.blocks] } };
    });
  await showReply(deps, request, toReplacement(reply), { view: findViewAfter(show, view) });
}

/** @returns the view that is open once Slack has shown the answer; null if it closed */
function findViewAfter(show: Show, view: OpenView): OpenView | null {
  if (show.kind === 'update') return { ...show.view, id: view.id };
  return show.kind === 'errors' ? view : null;
}

/** Slack waits for 3 s, and tells people that the app has failed after that. */
const COMMAND_MS = 1_800;
/** In a crowd, a later command is acknowledged without its answer, so that all are in time. */
const CROWDED_MS = 600;
/** With more requests than this at once, all take longer. */
const CROWD = 20;

/** Acknowledges with the answer if it is ready in time; otherwise the answer follows. */
export async function answerCommand(deps: AnswerDeps, request: SlackRequest, ack: Ack): Promise<void> {
  const running = runListener(deps, request);
  const within = (timeoutMs: number) => finishInTime(running, timeoutMs - measureRequestMs(request));
  const reply = (await within(CROWDED_MS)) ?? (deps.running.size > CROWD ? null : await within(COMMAND_MS));
  // An acknowledgement cannot show a modal.
  const message = reply?.kind === 'message' || reply?.kind === 'replace' ? reply.message : null;
  const body = message === null ? undefined : { ...toMessageBody(message), response_type: 'ephemeral' };
  const isAcknowledged = await acknowledge(ack, body);
  if (body === undefined || !isAcknowledged) await showReply(deps, request, await running);
}

const hasListener = ({ listeners }: AnswerDeps, { call }: SlackRequest): boolean =>
  call.kind !== 'links' && findListener(listeners, call.kind, call.name) !== null;

/** Answers in the place of what was clicked, even if late. Home draws itself if it can. */
export async function answerInPlace(deps: AnswerDeps, request: SlackRequest): Promise<void> {
  if (!hasListener(deps, request)) return;
  const home = request.call.kind === 'home' ? ({ view: { id: '', type: 'home' } } as const) : {};
  await showReply(deps, request, await runListener(deps, request), home);
}

/** Slack opens a window within 3 s only: after this time, one opens that says to wait. */
const WINDOW_MS = 1_500;

/** Answers a request that only a window can answer: a shortcut, or a click on the home page. */
export async function answerInWindow(deps: AnswerDeps, request: SlackRequest): Promise<void> {
  if (!hasListener(deps, request)) return;
  const running = runListener(deps, request);
  const reply = await finishInTime(running, WINDOW_MS - measureRequestMs(request));
  const waitingView = reply === null ? await openWaitingWindow(deps, request) : null;
  await showReply(deps, request, await running, { waitingView });
}

/** People who type wait for less time than people who ask. */
const TYPING_MS = 1_500;

/** Acknowledges with the options, or with none if they are late, refused or fail. */
export async function answerOptions(deps: AnswerDeps, request: SlackRequest, ack: Ack): Promise<void> {
  const finding = findOptions(deps, request).catch((error: unknown) => {
    if (!isBusyFailure(error)) deps.onProblem(error);
    return [];
  });
  const options = (await finishInTime(finding, TYPING_MS - measureRequestMs(request))) ?? [];
  const hasGroups = options.some((option) => 'options' in option);
  await acknowledge(ack, hasGroups ? { option_groups: options } : { options });
}

async function findOptions(deps: AnswerDeps, request: SlackRequest) {
  const { call } = request;
  if (call.kind !== 'options') return [];
  const listener = findListener(deps.listeners, 'options', call.name);
  if (listener === null) return [];
  const context = await loadContext(deps, request);
  await deps.limits.count(context, 'typing');
  return deps.limits.runInTurn(context, request, async () =>
    // When its turn comes too late, nobody is waiting any more.
    measureRequestMs(request) > TYPING_MS ? [] : listener.handle(context, call.typed),
  );
}

/** How many links of one message are unfurled. */
const MAX_LINKS = 5;
const MAX_DESCRIPTION = 300;

/** Unfurls links to pages of objects that people of the tenant can find. Nobody has asked for it,
 *  so a failure is only reported. Source: Slack, "Unfurling links in messages". */
export async function answerLinks(
  deps: AnswerDeps,
  request: SlackRequest,
  event: types.LinkSharedEvent,
): Promise<void> {
  const { links, unfurl_id, source } = event;
  try {
    const urls = [...new Set(links.map(({ url }) => url))].slice(0, MAX_LINKS);
    if (unfurl_id === undefined || source === undefined) return;
    const context = await loadContext(deps, request);
    const { scopes } = context.installation;
    if (!slackLinkScopes.every((scope) => scopes.includes(scope))) return;
    if (!(await admitRequest(deps, request, context))) return;
    await deps.limits.runInTurn(context, request, async () => {
      const sections = await drawSharedLinks(deps, context, urls);
      if (sections.size === 0) return;
      // Without pictures there are as many sections as before.
      await sendWithPictures({ text: '', blocks: [...sections.values()] }, deps, ({ blocks }) => {
        const unfurls = [...sections.keys()].map((url, at) => [url, { blocks: blocks.slice(at, at + 1) }]);
        return context.slack.unfurl({ unfurl_id, source, unfurls: Object.fromEntries(unfurls) });
      });
    });
  } catch (error) {
    if (!isBusyFailure(error)) deps.onProblem(error);
  }
}

/** @returns a block for each address of an object that people of the tenant can find */
async function drawSharedLinks(
  { publicUrl, findPublishedObject }: AnswerDeps,
  { owner, words }: SlackContext,
  urls: readonly string[],
): Promise<ReadonlyMap<string, KnownBlock>> {
  const prefix = `${publicUrl}/objects/`;
  const sections = new Map<string, KnownBlock>();
  for (const url of urls) {
    const id = url.startsWith(prefix) ? /^[\w-]+(?=$|[?#])/.exec(url.slice(prefix.length))?.[0] : undefined;
    const object = id === undefined ? null : await findPublishedObject(owner.tenantId, id);
    if (object !== null) sections.set(url, objectSection(object, { maxDescription: MAX_DESCRIPTION }, await words()));
  }
  return sections;
}
