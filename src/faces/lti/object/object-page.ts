import { embeddingSources } from '../../../domain/embedding.ts';
import type { ActivityCounts } from '../../../ports/store/store.ts';
import type { OpenedLink } from '../../../services/placements/placements.ts';
import type { LtiFaceDeps } from '../deps.ts';
import { toFrameModel } from '../frame-model.ts';
import { trayKey } from '../picker/tray-key.ts';
import { type LaunchContext, type LtiReply, page } from '../route.ts';
import { toDonePart } from './done.ts';
import { toFeedbackPart } from './feedback.ts';
import { dayIn, type ObjectModel, toObjectModel } from './object-model.ts';

/** Reports of a broken link from which learners are warned: one may be a mistake. */
const ENOUGH_REPORTS = 2;

export async function showObject(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, token, t } = context;
  const opened = await deps.placements.openLink(launch);
  if (opened !== null)
    return launch.role === 'instructor'
      ? showToInstructor(deps, context, opened)
      : showToLearner(deps, context, opened);
  const title = launch.resourceLink?.title ?? t('lesson.unchosen.title');
  const canChoose = launch.role === 'instructor';
  return page('object-unchosen', { ...toFrameModel(context), title, token, canChoose });
}

async function showToLearner(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink) {
  const state = await deps.completions.noteOpened(context.launch, opened);
  const [feedback, verdicts] = await Promise.all([
    toFeedbackPart(deps, { context, opened, verdict: state.verdict }),
    deps.completions.countVerdicts(opened),
  ]);
  const model = toObjectModel(opened.placement, context);
  return page(
    'object',
    {
      ...model,
      done: toDonePart(context, opened, state),
      feedback,
      isReportedBroken: verdicts.broken >= ENOUGH_REPORTS,
    },
    { frames: framesOf(model) },
  );
}

/** That an instructor looks is not counted. */
async function showToInstructor(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink) {
  const { completions } = deps;
  const [counts, verdicts, unsent, feedback] = await Promise.all([
    completions.count(opened),
    completions.countVerdicts(opened),
    completions.countUnsentScores(opened),
    toFeedbackPart(deps, { context, opened, verdict: null }),
  ]);
  const model = toObjectModel(opened.placement, context);
  const { completion, points } = opened.placement;
  const isGraded = points !== null && context.launch.grading?.lineItem != null;
  const how = { completion, points, isGraded, isShownInPlace: model.embed !== null };
  return page(
    'object-course',
    { ...model, counts, verdicts, unsent, how, feedback, ...replacedPart(context, opened, counts) },
    { frames: framesOf(model) },
  );
}

/** What stood there before was opened and completed, too; the selection that took its place is over. */
function replacedPart(
  { launch, query, locale }: LaunchContext,
  { link, placement }: OpenedLink,
  { opened }: ActivityCounts,
) {
  const isReplaced = opened > 0 && link.firstOpenedAt < placement.placedAt;
  return {
    replacedAt: isReplaced ? placement.placedAt : null,
    day: dayIn(locale),
    sentTray: query.get('said') === 'replaced' ? trayKey(launch) : '',
  };
}

const framesOf = ({ embed }: ObjectModel) => (embed === null ? [] : embeddingSources);
