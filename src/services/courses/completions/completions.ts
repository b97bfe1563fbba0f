import { type Launch, takesScores } from '#domain/lti/launch';
import { type Placement, toTeachersLink } from '#domain/lti/placement';
import { findSiteEmbedding } from '#domain/sites/sites';
import type {
  ActivityKey,
  PageRequest,
  ScoreCounts,
  ScoreRecord,
  ScoreState,
  Store,
  Verdict,
} from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import type { Insight } from '#services/host/insight';
import type { OpenedLink } from '../placements/links.ts';
import { type Completion, type PutScoreDeps, putLearnerScore, toScoreId } from './scores.ts';

export interface LearnerState {
  readonly completedAt: Date | null;
  /** Whether the learner completed an earlier object of the link instead of the present one. */
  readonly isOfEarlierObject: boolean;
  readonly score: ScoreState | null;
  /** When the platform took the score; null if it has not. */
  readonly sentAt: Date | null;
  /** Until when the learner can undo the completion; null if that cannot be done. */
  readonly undoableUntil: Date | null;
  readonly isTeacher: boolean;
  /** The learner's feedback on the present object; null if there is none. */
  readonly verdict: Verdict | null;
}

export interface CompletionsDeps extends PutScoreDeps, Pick<Store, 'activity'> {
  readonly insight: Pick<Insight, 'noteObject'>;
}

const noActivity: LearnerState = {
  completedAt: null,
  isOfEarlierObject: false,
  score: null,
  sentAt: null,
  undoableUntil: null,
  verdict: null,
  isTeacher: false,
};

/** How long a learner can undo a completion. Pages offer ten seconds; requests take the rest. */
export const UNDO_MS = 12_000;

/** Records which learners opened and completed an object, and sends their scores. */
export function createCompletions(deps: CompletionsDeps) {
  const { activity, scores } = deps;
  return {
    ...bindState(deps, {
      undo: undoCompletion,
      release: releaseScore,
      giveVerdict,
      noteTeacher,
      listTeachers,
      resetCompletions,
      readUnsentScores,
      resendScore,
    }),
    find: (launch: Launch, opened: OpenedLink) =>
      runForLearner(deps, launch, opened, (key) => readState(deps, key, opened)),
    /** Notes a visit; completes a link that viewing completes if its page shows the object. */
    noteOpened: (launch: Launch, opened: OpenedLink) =>
      noteVisitOfLearner(deps, launch, opened, { isViewed: isFramedHere(opened.placement) }),
    /** Notes that the learner went to the site. Completes a link that viewing completes. */
    noteFollowed: (launch: Launch, opened: OpenedLink) => noteVisitOfLearner(deps, launch, opened, { isViewed: true }),
    /** Completes the link. The score of a graded link is in the outbox when this resolves, held
     *  back for `UNDO_MS`; a second call sends it to another line item, or again if it was lost. */
    complete: (launch: Launch, opened: OpenedLink) =>
      runForLearner(deps, launch, opened, (key) => saveCompletion(deps, { key, launch, opened, holdMs: UNDO_MS })),
    /** Returns the score of the learner; null if there is none. */
    findScore: ({ user }: Launch, { link: { tenantId, id: linkId } }: OpenedLink) =>
      scores.findScore(tenantId, toScoreId({ linkId, userId: user.id })),
    /** @param teachers IDs of people who are not counted */
    count: ({ link }: OpenedLink, teachers?: readonly string[]) =>
      activity.countActivity(link.tenantId, link.id, teachers),
    list: ({ link }: OpenedLink, page: PageRequest) => activity.listActivity(link.tenantId, link.id, page),
    countVerdicts: ({ link, placement }: OpenedLink) => activity.countVerdicts(link.tenantId, link.id, placement.id),
    /** Returns the IDs of learners whose score was refused, or not accepted after many attempts. */
    listUnsentLearners: ({ link }: OpenedLink) => scores.listUnsentLearners(link.tenantId, link.id),
    /** Hides the refused scores of the link, which are never sent again. */
    dismissRefusedScores: ({ link }: OpenedLink) => scores.dismissScores(link.tenantId, link.id),
  };
}

/** Sends the learner's score now if it is held back. */
async function releaseScore(deps: CompletionsDeps, { user }: Launch, { link }: OpenedLink): Promise<void> {
  const id = toScoreId({ linkId: link.id, userId: user.id });
  if (await deps.scores.releaseHeldScore(link.tenantId, id, deps.clock.now())) deps.wake();
}

/** Replaces the learner's earlier verdict; null removes it. */
function giveVerdict(deps: CompletionsDeps, launch: Launch, opened: OpenedLink, verdict: Verdict | null) {
  return runForLearner(deps, launch, opened, async (key) => {
    await deps.activity.noteOpened(key, deps.clock.now());
    await deps.activity.noteVerdict(key, verdict, opened.placement.id);
    return readState(deps, key, opened);
  });
}

async function noteTeacher({ activity, clock }: CompletionsDeps, launch: Launch): Promise<void> {
  const course = findTeachersKey(launch);
  if (course !== null) await activity.noteOpened({ ...course, userId: launch.user.id }, clock.now());
}

const MAX_TEACHERS = 1_000;

/** Returns the IDs of the teachers of the course, at most 1,000. */
async function listTeachers({ activity }: CompletionsDeps, launch: Launch): Promise<readonly string[]> {
  const course = findTeachersKey(launch);
  if (course === null) return [];
  const { items } = await activity.listActivity(course.tenantId, course.linkId, { page: 0, pageSize: MAX_TEACHERS });
  return items.map(({ userId }) => userId);
}

/** Removes completions and unsent scores, of everybody for null. @returns how many were complete */
async function resetCompletions(deps: CompletionsDeps, { link }: OpenedLink, userId: string | null): Promise<number> {
  const learners = { tenantId: link.tenantId, linkId: link.id, userId };
  const count = await deps.activity.clearCompleted(learners);
  await deps.scores.withdrawScores(learners);
  return count;
}

/** Counts the undelivered scores of the link, and lists the reasons of refusals. */
async function readUnsentScores(
  { scores }: CompletionsDeps,
  { link: { tenantId, id } }: OpenedLink,
  teachers?: readonly string[],
): Promise<ScoreCounts & { readonly reasons: readonly string[] }> {
  const counts = await scores.countUnsentScoresOfLink(tenantId, id, teachers);
  const reasons = counts.refused === 0 ? [] : await scores.listRefusals(tenantId, id, teachers);
  return { ...counts, reasons };
}

/** Sends an undelivered score that the platform may take now, as the course is open. */
async function resendScore(deps: CompletionsDeps, launch: Launch, { link }: OpenedLink): Promise<void> {
  if (launch.role !== 'learner' || !takesScores(launch)) return;
  const id = toScoreId({ linkId: link.id, userId: launch.user.id });
  if (await deps.scores.resumeScore(link.tenantId, id, deps.clock.now())) deps.wake();
}

async function readState(deps: CompletionsDeps, key: ActivityKey, { placement }: OpenedLink): Promise<LearnerState> {
  const { activity, scores } = deps;
  const record = await activity.findActivity(key);
  const score = await scores.findScore(key.tenantId, toScoreId(key));
  const verdict = record?.verdictPlacementId === placement.id ? record.verdict : null;
  const completedAt = record?.completedAt ?? null;
  const isOfEarlierObject = completedAt !== null && completedAt < placement.placedAt;
  const state = score === null || score.state === 'withdrawn' ? null : score.state;
  const sentAt = state === 'delivered' ? (score?.dueAt ?? null) : null;
  const undoableUntil = placement.completion === 'marked' ? findUndoEnd(deps, completedAt, score) : null;
  return { ...noActivity, completedAt, isOfEarlierObject, score: state, sentAt, undoableUntil, verdict };
}

/** Returns when the time to undo ends; null once it is over, or the score was sent. */
function findUndoEnd({ clock }: CompletionsDeps, completedAt: Date | null, score: ScoreRecord | null): Date | null {
  if (completedAt === null) return null;
  const isSent =
    score !== null && (score.state !== 'waiting' || score.lastError !== null || score.leasedUntil !== null);
  const end = score === null ? new Date(completedAt.getTime() + UNDO_MS) : score.dueAt;
  return isSent || end <= clock.now() ? null : end;
}

/** Removes a completion and its score within `UNDO_MS`; later, nothing changes. */
function undoCompletion(deps: CompletionsDeps, launch: Launch, opened: OpenedLink): Promise<LearnerState> {
  return runForLearner(deps, launch, opened, async (key) => {
    const state = await readState(deps, key, opened);
    if (state.undoableUntil === null) return state;
    // The outbox may claim the score at the same moment; then it stays.
    const isWithdrawn =
      state.score === null || (await deps.scores.withdrawHeldScore(key.tenantId, toScoreId(key), deps.clock.now()));
    if (isWithdrawn && (await deps.activity.clearCompleted(key)) > 0)
      deps.insight.noteObject(key.tenantId, 'finished', opened.placement.object, { place: launch, by: -1 });
    return readState(deps, key, opened);
  });
}

/** @param isViewed whether the person sees the object itself, not only a link to it */
function noteVisitOfLearner(
  deps: CompletionsDeps,
  launch: Launch,
  opened: OpenedLink,
  { isViewed }: { readonly isViewed: boolean },
): Promise<LearnerState> {
  const { placement } = opened;
  return runForLearner(deps, launch, opened, async (key) => {
    await deps.activity.noteOpened(key, deps.clock.now());
    if (isViewed) deps.insight.noteObject(key.tenantId, 'opened', placement.object, { place: launch });
    const state = await readState(deps, key, opened);
    const isCompleted = (isViewed && placement.completion === 'viewed') || state.completedAt !== null;
    return isCompleted ? saveCompletion(deps, { key, launch, opened, holdMs: 0 }) : state;
  });
}

async function saveCompletion(deps: CompletionsDeps, completion: Completion): Promise<LearnerState> {
  const { activity, insight, clock } = deps;
  const { key, opened } = completion;
  if (await activity.noteCompleted(key, clock.now()))
    insight.noteObject(key.tenantId, 'finished', opened.placement.object, { place: completion.launch });
  await putLearnerScore(deps, completion);
  return readState(deps, key, opened);
}

/** Returns whether the page of a link shows the object itself, not only a link to it. */
export const isFramedHere = ({ object }: Pick<Placement, 'object'>): boolean => findSiteEmbedding(object) !== null;

const findTeachersKey = ({ tenantId, registrationId, context }: Launch) =>
  context && { tenantId, linkId: toTeachersLink(registrationId, context.id) };

/** Runs the work if the person is a learner. A learner who taught in this course is a teacher who
 *  tries it out: Moodle lets teachers switch roles. */
async function runForLearner(
  { activity }: CompletionsDeps,
  launch: Launch,
  { link }: OpenedLink,
  work: (key: ActivityKey) => Promise<LearnerState>,
): Promise<LearnerState> {
  if (launch.role !== 'learner') return noActivity;
  const userId = launch.user.id;
  const course = findTeachersKey(launch);
  const isTeacher = course !== null && (await activity.findActivity({ ...course, userId })) !== null;
  return isTeacher ? { ...noActivity, isTeacher } : work({ tenantId: link.tenantId, linkId: link.id, userId });
}
