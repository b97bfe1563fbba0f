import type { Launch } from '#domain/lti/launch';
import type { Placement } from '#domain/lti/placement';
import { toRecordKey } from '#domain/record-key';
import { findEmbedding } from '#domain/sites/sites';
import type {
  ActivityCounts,
  ActivityKey,
  ActivityRecord,
  ActivityRepository,
  Page,
  PageRequest,
  ScoreCounts,
  ScoreState,
  Verdict,
  VerdictCounts,
} from '#ports/store/store';
import type { Insight } from '#services/host/insight';
import type { OpenedLink } from '../placements/links.ts';
import { createScorePutting, type ScorePuttingDeps, toScoreId } from './scores.ts';

export interface LearnerState {
  readonly completedAt: Date | null;
  /** Whether what was completed is an earlier object of the link, not the one that is there now. */
  readonly isOfBefore: boolean;
  /** Of the score, where there is one. */
  readonly score: ScoreState | null;
  /** The learner's feedback on the object that is there now; null where none was given. */
  readonly verdict: Verdict | null;
}

/** Notes who opened and completed what, and sends the scores. Only learners count: for everyone else nothing is noted or sent. */
export interface Completions {
  /** Without noting anything. */
  find(launch: Launch, opened: OpenedLink): Promise<LearnerState>;
  /** For a person who looks at the page of the link. Completes it at once where viewing completes it and the page shows the
   *  object. */
  noteOpened(launch: Launch, opened: OpenedLink): Promise<LearnerState>;
  /** For a person who goes to the object on its own site. Completes it where viewing does. */
  noteFollowed(launch: Launch, opened: OpenedLink): Promise<LearnerState>;
  /** A second call changes nothing, but sends the score where the link has another line item by now, or where the first one was
   *  lost with its host. Where the link is graded, the score is in the outbox when this resolves. */
  complete(launch: Launch, opened: OpenedLink): Promise<LearnerState>;
  /** Replaces the one given before. */
  giveVerdict(launch: Launch, opened: OpenedLink, verdict: Verdict): Promise<LearnerState>;
  /** Remembers that somebody teaches in the course of a launch. */
  noteTeacher(launch: Launch): Promise<void>;
  /** Ids of those who were seen teaching in the course, at most 1,000. */
  listTeachers(launch: Launch): Promise<readonly string[]>;
  count(opened: OpenedLink): Promise<ActivityCounts>;
  list(opened: OpenedLink, page: PageRequest): Promise<Page<ActivityRecord>>;
  /** Of the object that is there now. */
  countVerdicts(opened: OpenedLink): Promise<VerdictCounts>;
  /** How many scores of this link did not arrive. */
  countUnsentScores(opened: OpenedLink): Promise<ScoreCounts>;
}

export interface CompletionsDeps extends ScorePuttingDeps {
  readonly activity: ActivityRepository;
  readonly insight: Pick<Insight, 'noteObject'>;
}

const nothing: LearnerState = { completedAt: null, isOfBefore: false, score: null, verdict: null };

export function createCompletions(deps: CompletionsDeps): Completions {
  const { activity, scores, insight, clock } = deps;
  const putScore = createScorePutting(deps);

  async function stateOf(key: ActivityKey, { placement }: OpenedLink): Promise<LearnerState> {
    const done = await activity.findActivity(key);
    const score = await scores.findScore(key.tenantId, toScoreId(key));
    const verdict = done?.verdictPlacementId === placement.id ? done.verdict : null;
    const completedAt = done?.completedAt ?? null;
    const isOfBefore = completedAt !== null && completedAt < placement.placedAt;
    return { completedAt, isOfBefore, score: score?.state ?? null, verdict };
  }

  /** Notes that it was opened, too. */
  async function noteSeen(launch: Launch, opened: OpenedLink, isViewed: boolean): Promise<LearnerState> {
    const key = keyOf(launch, opened);
    if (key === null) return nothing;
    await activity.noteOpened(key, clock.now());
    if (isViewed) insight.noteObject(key.tenantId, 'opened', opened.placement.object);
    const state = await stateOf(key, opened);
    const isDone = (isViewed && opened.placement.completion === 'viewed') || state.completedAt !== null;
    return isDone ? completeOf(key, launch, opened) : state;
  }

  async function completeOf(key: ActivityKey, launch: Launch, opened: OpenedLink): Promise<LearnerState> {
    if (await activity.noteCompleted(key, clock.now()))
      insight.noteObject(key.tenantId, 'finished', opened.placement.object);
    await putScore(key, launch, opened);
    return stateOf(key, opened);
  }

  return {
    async find(launch, opened) {
      const key = keyOf(launch, opened);
      return key === null ? nothing : stateOf(key, opened);
    },
    noteOpened: (launch, opened) => noteSeen(launch, opened, isShownInPlace(opened.placement)),
    noteFollowed: (launch, opened) => noteSeen(launch, opened, true),
    async complete(launch, opened) {
      const key = keyOf(launch, opened);
      return key === null ? nothing : completeOf(key, launch, opened);
    },
    async giveVerdict(launch, opened, verdict) {
      const key = keyOf(launch, opened);
      if (key === null) return nothing;
      await activity.noteOpened(key, clock.now());
      await activity.noteVerdict(key, verdict, opened.placement.id);
      return stateOf(key, opened);
    },
    async noteTeacher(launch) {
      const course = teachersKey(launch);
      if (course !== null) await activity.noteOpened({ ...course, userId: launch.user.id }, clock.now());
    },
    async listTeachers(launch) {
      const course = teachersKey(launch);
      if (course === null) return [];
      const { items } = await activity.listActivity(course.tenantId, course.linkId, {
        page: 0,
        pageSize: 1_000,
      });
      return items.map(({ userId }) => userId);
    },
    count: ({ link }) => activity.countActivity(link.tenantId, link.id),
    list: ({ link }, page) => activity.listActivity(link.tenantId, link.id, page),
    countVerdicts: ({ link, placement }) => activity.countVerdicts(link.tenantId, link.id, placement.id),
    countUnsentScores: ({ link }) => scores.countUnsentScoresOfLink(link.tenantId, link.id),
  };
}

/** Whether the page of a link shows the object itself, not only the way to it. */
export function isShownInPlace({ object }: Pick<Placement, 'object'>): boolean {
  return findEmbedding(object) !== null;
}

/** Teachers are kept beside the learners of links, under the name of their course, which is none of a link: those are hashes. */
function teachersKey({ tenantId, registrationId, context }: Launch) {
  return context && { tenantId, linkId: toRecordKey(['teachers', registrationId, context.id]) };
}

/** Null for anyone but a learner. */
function keyOf({ role, user }: Launch, { link }: OpenedLink): ActivityKey | null {
  return role === 'learner' ? { tenantId: link.tenantId, linkId: link.id, userId: user.id } : null;
}
