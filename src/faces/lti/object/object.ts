import { takesScores } from '#domain/lti/launch';
import type { Placement } from '#domain/lti/placement';
import { embeddingSources, findEmbedding } from '#domain/sites/sites';
import { toObjectView } from '#faces/object-view/object-view';
import type { ActivityCounts, LinkCheck } from '#ports/store/store';
import { isShownInPlace, type LearnerState } from '#services/courses/completions/completions';
import type { OpenedLink } from '#services/courses/placements/links';
import type { LtiFaceDeps } from '../deps.ts';
import { toFrameModel } from '../frame.ts';
import { createTrayKey } from '../picker/tray.ts';
import { type LaunchContext, type LtiReply, type LtiRoute, makePage } from '../route.ts';
import { takeFeedback, toFeedbackPart } from './feedback.ts';
import { mayChangeCourse, showPeople } from './people.ts';
import { replaceWithSimilar, undoReplacement } from './replace.ts';
import {
  createDayFormat,
  describeDeadLink,
  isAboutPlacement,
  isAskedByScript,
  redirectToObject,
  replyWithPart,
  type Saying,
  sayings,
} from './replies.ts';
import { showSimilar } from './similar.ts';

/** Reports of a broken link before learners are warned: a single one may be a mistake. */
const ENOUGH_REPORTS = 2;

/** The pages of a resource link: the object behind it, for learners and teachers. Slow parts are
 *  fetched once the page is shown; without scripts, a link opens each as a page. */
export function createObjectRoutes(deps: LtiFaceDeps): LtiRoute[] {
  const access = 'resource-link';
  return [
    { method: 'get', path: '/object', access, handle: (context) => showObject(deps, context) },
    { method: 'get', path: '/object/done', access, handle: (context) => showDone(deps, context) },
    { method: 'post', path: '/object/done', access, handle: (context) => markAsDone(deps, context) },
    { method: 'post', path: '/object/opened', access, handle: (context) => noteFollowed(deps, context) },
    { method: 'post', path: '/object/feedback', access, handle: (context) => takeFeedback(deps, context) },
    { method: 'get', path: '/object/similar', access, handle: (context) => showSimilar(deps, context) },
    {
      method: 'get',
      path: '/object/people',
      access: 'instructor',
      handle: (context) => showPeople(deps, context),
    },
    {
      method: 'post',
      path: '/object/replace',
      access: 'instructor',
      handle: (context) => replaceWithSimilar(deps, context),
    },
    {
      method: 'post',
      path: '/object/undo',
      access: 'instructor',
      handle: (context) => undoReplacement(deps, context),
    },
  ];
}

async function showObject(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, token, t } = context;
  const opened = await deps.placements.openLink(launch);
  if (opened !== null)
    return launch.role === 'instructor'
      ? showToInstructor(deps, context, opened)
      : showToLearner(deps, context, opened);
  const title = launch.resourceLink?.title ?? t('lesson.unchosen.title');
  const canChoose = await mayChangeCourse(deps, context);
  return makePage('object-unchosen', { ...toFrameModel(context), title, token, canChoose });
}

/** Nobody has seen what is dead: it is not counted as opened, and done only for those who were done
 *  before. */
async function showToLearner(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink) {
  const { completions } = deps;
  const check = await findCheck(deps, opened);
  const isDead = check?.state === 'dead';
  const state = await (isDead ? completions.find : completions.noteOpened)(context.launch, opened);
  const [feedback, verdicts] = await Promise.all([
    isDead ? null : toFeedbackPart(deps, { context, opened, verdict: state.verdict }),
    completions.countVerdicts(opened),
  ]);
  const model = toObjectModel(opened.placement, context, check);
  return makePage(
    'object',
    {
      ...model,
      done: isDead && state.completedAt === null ? null : toDonePart(context, opened, state),
      feedback,
      isReportedBroken: !isDead && verdicts.broken >= ENOUGH_REPORTS,
    },
    { frames: listFrames(model) },
  );
}

/** Instructors who look at the object are not counted. */
async function showToInstructor(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink) {
  const { completions } = deps;
  const [mayChange, check, replaced, counts, verdicts, unsent, feedback] = await Promise.all([
    mayChangeCourse(deps, context),
    findCheck(deps, opened),
    deps.deadLinks.findReplaced(opened),
    completions.count(opened),
    completions.countVerdicts(opened),
    completions.countUnsentScores(opened),
    toFeedbackPart(deps, { context, opened, verdict: null }),
  ]);
  const model = toObjectModel(opened.placement, context, check);
  const { completion, points } = opened.placement;
  const isGraded = points !== null && takesScores(context.launch);
  const how = { completion, points, isGraded, isShownInPlace: model.embed !== null };
  return makePage(
    'object-course',
    {
      ...{ ...model, mayChange, counts, verdicts, unsent, how, feedback },
      ...toReplacedPart(context, opened, counts),
      // What was put into several courses at once is not for one of them to undo.
      isUndoable: mayChange && replaced?.changes.length === 1,
    },
    { frames: listFrames(model) },
  );
}

/** Counts may include the object that stood here before; after a replacement, the picker's
 *  selection can be forgotten. */
function toReplacedPart(
  { launch, query, locale }: LaunchContext,
  { link, placement }: OpenedLink,
  { opened }: ActivityCounts,
) {
  const isReplaced = opened > 0 && link.firstOpenedAt < placement.placedAt;
  return {
    replacedAt: isReplaced ? placement.placedAt : null,
    day: createDayFormat(locale),
    sentTray: query.get('said') === 'replaced' ? createTrayKey(launch) : '',
  };
}

const listFrames = ({ embed }: ReturnType<typeof toObjectModel>) => (embed === null ? [] : embeddingSources);

/** What every page of an object shows, to learners and teachers alike. */
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
    embed: dead === null ? findEmbedding({ ...object, url }) : null,
    said: readSaying(context),
    query: new URLSearchParams({ launch: token }).toString(),
    canChoose: launch.role === 'instructor',
  };
}

/** Placements never change: where an object is now is known by the check of its address. */
function findCheck({ deadLinks }: LtiFaceDeps, { placement }: OpenedLink): Promise<LinkCheck | null> {
  return deadLinks.findCheck(placement.tenantId, placement.object.url);
}

function readSaying({ query }: LaunchContext): Saying | null {
  const said = query.get('said');
  return sayings.find((saying) => saying === said) ?? null;
}

/** Whether the learner has completed the object, and where the score is. Null for everybody but
 *  learners. */
function toDonePart(
  { launch, token, locale }: LaunchContext,
  { placement }: OpenedLink,
  { completedAt, isOfBefore, score }: LearnerState,
) {
  if (launch.role !== 'learner') return null;
  return {
    completedAt,
    isOfBefore,
    day: createDayFormat(locale),
    score,
    rule: placement.completion,
    isShownInPlace: isShownInPlace(placement),
    points: takesScores(launch) ? placement.points : null,
    placementId: placement.id,
    token,
  };
}

/** For a page that waits for the score to arrive. */
async function showDone(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const opened = await deps.placements.openLink(context.launch);
  if (opened === null) return redirectToObject(context);
  const state = await deps.completions.find(context.launch, opened);
  return replyWithDone(context, opened, state);
}

async function markAsDone(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const opened = await deps.placements.openLink(context.launch);
  if (opened === null || !isAboutPlacement(context, opened)) return redirectToObject(context, 'changed');
  const state = await deps.completions.complete(context.launch, opened);
  if (isAskedByScript(context)) return replyWithDone(context, opened, state);
  return redirectToObject(context);
}

/** Notes that somebody opened the object on its own site, as our script reports. */
async function noteFollowed(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const opened = await deps.placements.openLink(context.launch);
  if (opened === null || !isAboutPlacement(context, opened)) return redirectToObject(context, 'changed');
  const state = await deps.completions.noteFollowed(context.launch, opened);
  return replyWithDone(context, opened, state);
}

function replyWithDone(context: LaunchContext, opened: OpenedLink, state: LearnerState): LtiReply {
  const done = toDonePart(context, opened, state);
  if (done === null) return redirectToObject(context);
  return replyWithPart(context, { view: 'object-done', title: 'lesson.done.title', model: { done } });
}
