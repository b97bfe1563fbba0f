import { finishInTime } from '#domain/async/deadline';
import { RESULT_SCOPE, takesScores } from '#domain/lti/launch';
import { MAX_TITLE_LENGTH, OBJECT_PARAMETER, type Placement } from '#domain/lti/placement';
import { embeddingSources, findSiteEmbedding } from '#domain/sites/sites';
import { toObjectView } from '#faces/object-view/object-view';
import type { ActivityCounts, LinkCheck } from '#ports/store/store';
import { isFramedHere, type LearnerState } from '#services/courses/completions/completions';
import type { OpenedLink } from '#services/courses/placements/links';
import type { LtiFaceDeps } from '../deps.ts';
import { toFrameModel } from '../frame.ts';
import { createTrayKey } from '../picker/tray.ts';
import { type LaunchContext, type LtiReply, type LtiRoute, makeLtiPage } from '../route.ts';
import { takeFeedback, toFeedbackPart, undoFeedback } from './feedback.ts';
import { downloadPeople, mayChangePeople, showPeople } from './people.ts';
import { readPeopleFilter, writePeopleFilter } from './people-list.ts';
import { replaceWithSimilar, requireChange, undoReplacement } from './replace.ts';
import {
  createDayFormat,
  describeDeadLink,
  isReplyToScript,
  onFormObject,
  onObject,
  readReplyMessage,
  redirectToObject,
  replyWithPart,
} from './replies.ts';
import { showSimilarToPlaced } from './similar.ts';

/** Number of reports of a broken link that warn learners, as one may be a mistake. */
const MIN_REPORTS = 2;

const changeObjectDone = (change: 'complete' | 'undo') =>
  onFormObject(async ({ completions }, context, opened) => {
    const state = await completions[change](context.launch, opened);
    return isReplyToScript(context) ? replyWithObjectDone(context, opened, state) : redirectToObject(context);
  });

/** Serves the page of an object. Its script fetches slow parts, which are also pages. */
export const objectRoutes: readonly LtiRoute[] = [
  { method: 'get', path: '/object', access: 'resource-link', handle: showLtiObject },
  { method: 'get', path: '/object/done', access: 'resource-link', handle: onObject(showObjectDone) },
  { method: 'post', path: '/object/done', access: 'resource-link', handle: changeObjectDone('complete') },
  { method: 'post', path: '/object/done/undo', access: 'resource-link', handle: changeObjectDone('undo') },
  { method: 'post', path: '/object/done/release', access: 'resource-link', handle: releaseObjectScore },
  { method: 'post', path: '/object/opened', access: 'resource-link', handle: onFormObject(noteObjectOpened) },
  { method: 'post', path: '/object/feedback', access: 'resource-link', handle: onFormObject(takeFeedback) },
  { method: 'post', path: '/object/feedback/undo', access: 'resource-link', handle: onFormObject(undoFeedback) },
  { method: 'get', path: '/object/similar', access: 'resource-link', handle: onObject(showSimilarToPlaced) },
  { method: 'get', path: '/object/people', access: 'instructor', handle: onObject(showPeople) },
  { method: 'get', path: '/object/people.csv', access: 'instructor', handle: onObject(downloadPeople) },
  { method: 'post', path: '/object/replace', access: 'instructor', handle: onFormObject(replaceWithSimilar) },
  { method: 'post', path: '/object/undo', access: 'instructor', handle: onFormObject(undoReplacement) },
  { method: 'post', path: '/object/again', access: 'instructor', handle: onFormObject(beginObjectAgain) },
  { method: 'post', path: '/object/dismiss', access: 'instructor', handle: dismissObjectScores },
];

async function showLtiObject(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, token, t } = context;
  const opened = (await deps.placements.openLink(launch)) ?? (await placeNamedObject(deps, context));
  if (opened !== null)
    return launch.role === 'instructor'
      ? showObjectToInstructor(deps, context, opened)
      : showObjectToLearner(deps, context, opened);
  const title = launch.resourceLink?.title ?? t('lesson.unchosen.title');
  const canChoose = await mayChangePeople(deps, context);
  return makeLtiPage('object-unchosen', { ...toFrameModel(context), title, token, canChoose });
}

/** Places the object that a link of another program names; null if the tenant cannot find it. */
async function placeNamedObject({ cachedObjects, placements }: LtiFaceDeps, { launch, signal }: LaunchContext) {
  const { custom, resourceLink, tenantId, user } = launch;
  const url = custom[OBJECT_PARAMETER];
  if (resourceLink === null || url === undefined || !URL.canParse(url)) return null;
  const reference = { url, title: resourceLink.title ?? undefined };
  const object = await cachedObjects.find(tenantId, reference, { signal });
  if (object === null) return null;
  const title = (resourceLink.title?.trim() || object.title).slice(0, MAX_TITLE_LENGTH);
  const chosen = { object, title, requestId: null, completion: 'marked', points: null } as const;
  return placements.replace({ ...launch, user: { ...user, id: '' } }, chosen);
}

/** Shows the object to a learner. One with a dead link is not counted as opened. */
async function showObjectToLearner(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink) {
  const { completions } = deps;
  const check = await findObjectLinkCheck(deps, opened);
  const isDead = check?.state === 'dead';
  await noticeObjectReset(deps, context, opened);
  const state = await (isDead ? completions.find : completions.noteOpened)(context.launch, opened);
  const [feedback, verdicts] = await Promise.all([
    isDead ? null : toFeedbackPart(deps, { context, opened, verdict: state.verdict }),
    completions.countVerdicts(opened),
  ]);
  const model = toObjectModel(opened.placement, context, check);
  return makeLtiPage(
    'object',
    {
      ...model,
      done: isDead && state.completedAt === null ? null : toObjectDonePart(context, opened, state),
      feedback,
      isReportedBroken: !isDead && verdicts.broken >= MIN_REPORTS,
    },
    { frames: listObjectFrames(model) },
  );
}

/** How long a platform may take to return a score that it accepted. */
const SHOWN_AFTER_MS = 20_000;
const RESULT_TIMEOUT_MS = 3_000;

/** Lets a learner begin again if the platform lost a score, as after the reset of a course. */
async function noticeObjectReset(deps: LtiFaceDeps, { launch }: LaunchContext, opened: OpenedLink): Promise<void> {
  const { completions, registrations, platforms, clock, onProblem } = deps;
  if (launch.role !== 'learner' || !launch.grading?.scopes.includes(RESULT_SCOPE)) return;
  const score = await completions.findScore(launch, opened);
  if (score?.state !== 'delivered' || clock.now().getTime() - score.dueAt.getTime() < SHOWN_AFTER_MS) return;
  const { lineItem: launched, newLineItem, points, userId } = score;
  const askPlatform = async () => {
    const registration = await registrations.getRegistration(launch.registrationId);
    const details = newLineItem && { ...newLineItem, points, launched: launched || null };
    const lineItem = details ? await platforms.provideLineItem(registration, details) : launched;
    return platforms.isResultGone(registration, { lineItem, userId });
  };
  const isGone = await finishInTime(askPlatform(), RESULT_TIMEOUT_MS).catch(onProblem);
  if (isGone === true) await completions.resetCompletions(opened, userId);
}

/** Shows the object to an instructor, with counts that leave instructors out. */
async function showObjectToInstructor(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink) {
  const { completions } = deps;
  const teachers = await completions.listTeachers(context.launch);
  const [mayChange, check, replaced, counts, verdicts, unsent, feedback] = await Promise.all([
    mayChangePeople(deps, context),
    findObjectLinkCheck(deps, opened),
    deps.deadLinks.findReplaced(opened),
    completions.count(opened, teachers),
    completions.countVerdicts(opened),
    completions.readUnsentScores(opened, teachers),
    toFeedbackPart(deps, { context, opened, verdict: null }),
  ]);
  const model = toObjectModel(opened.placement, context, check);
  const { completion, points } = opened.placement;
  const isGraded = points !== null && takesScores(context.launch);
  return makeLtiPage(
    'object-course',
    {
      ...model,
      mayChange,
      counts,
      verdicts,
      unsent,
      how: { completion, points, isGraded, isFramedHere: model.embed !== null },
      peopleQuery: writePeopleFilter(readPeopleFilter(context.query)).toString(),
      feedback,
      ...toReplacedObjectPart(context, opened, counts),
      // A replacement in several courses cannot be undone from one of them.
      isUndoable: mayChange && replaced?.changes.length === 1,
      former: mayChange && model.message === 'replaced' ? context.query.get('former') : null,
    },
    { frames: listObjectFrames(model) },
  );
}

/** Returns the date of a replacement, as the counts may include the former object; and, right after
 *  one, the key of the picker's selection, which the browser then removes. */
function toReplacedObjectPart(context: LaunchContext, { link, placement }: OpenedLink, { opened }: ActivityCounts) {
  const { launch, query, locale } = context;
  const isReplaced = opened > 0 && link.firstOpenedAt < placement.placedAt;
  return {
    replacedAt: isReplaced ? placement.placedAt : null,
    day: createDayFormat(locale),
    sentTray: query.get('said') === 'replaced' ? createTrayKey(launch) : '',
  };
}

const listObjectFrames = ({ embed }: ReturnType<typeof toObjectModel>) => (embed === null ? [] : embeddingSources);

function toObjectModel({ title, object, id }: Placement, context: LaunchContext, check: LinkCheck | null) {
  const { launch, token, t, locale, pictures } = context;
  const url = check?.movedTo ?? object.url;
  const dead = check?.state === 'dead' ? describeDeadLink(title, check, context) : null;
  return {
    ...toFrameModel(context),
    token,
    title,
    placementId: id,
    view: toObjectView({ ...object, url }, { t, locale, pictures }),
    dead,
    embed: dead === null ? findSiteEmbedding({ ...object, url }) : null,
    message: readReplyMessage(context),
    query: new URLSearchParams({ launch: token }).toString(),
    canChoose: launch.role === 'instructor',
  };
}

/** Finds the check of the object's address, which also has the address that the object moved to. */
async function findObjectLinkCheck({ deadLinks }: LtiFaceDeps, { placement }: OpenedLink): Promise<LinkCheck | null> {
  const { tenantId, object } = placement;
  return object.isRestricted ? null : deadLinks.findCheck(tenantId, object.url);
}

/** Returns the completion of a learner with the state of the score; null for other roles. */
function toObjectDonePart(
  { launch, token, locale }: LaunchContext,
  { placement }: OpenedLink,
  { undoableUntil, score, ...state }: LearnerState,
) {
  if (launch.role !== 'learner') return null;
  return {
    ...state,
    isUndoable: undoableUntil !== null,
    day: createDayFormat(locale),
    score: score === 'dismissed' ? 'refused' : score,
    rule: placement.completion,
    isFramedHere: isFramedHere(placement),
    points: takesScores(launch) ? placement.points : null,
    placementId: placement.id,
    token,
  };
}

/** Shows the completion, also to a page's script that waits until the platform has the score. */
async function showObjectDone(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink): Promise<LtiReply> {
  const state = await deps.completions.find(context.launch, opened);
  return replyWithObjectDone(context, opened, state);
}

/** Lets a score be sent, as its time to undo is over or its page is closed. */
async function releaseObjectScore(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const opened = await deps.placements.openLink(context.launch);
  if (opened !== null) await deps.completions.release(context.launch, opened);
  return { kind: 'json', body: {} };
}

async function noteObjectOpened(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink): Promise<LtiReply> {
  const state = await deps.completions.noteFollowed(context.launch, opened);
  return replyWithObjectDone(context, opened, state);
}

async function beginObjectAgain(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink): Promise<LtiReply> {
  await requireChange(deps, context);
  await deps.completions.resetCompletions(opened, context.form.get('user') || null);
  return redirectToObject(context, 'again', writePeopleFilter(readPeopleFilter(context.form)));
}

async function dismissObjectScores(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  await requireChange(deps, context);
  const opened = await deps.placements.openLink(context.launch);
  if (opened !== null) await deps.completions.dismissRefusedScores(opened);
  return redirectToObject(context, 'dismissed');
}

function replyWithObjectDone(context: LaunchContext, opened: OpenedLink, state: LearnerState): LtiReply {
  const done = toObjectDonePart(context, opened, state);
  if (done === null) return redirectToObject(context);
  return replyWithPart(context, { view: 'object-done', title: 'lesson.done.title', model: { done } });
}
