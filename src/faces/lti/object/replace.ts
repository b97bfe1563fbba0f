import { takesScores } from '#domain/lti/launch';
import { type CompletionRule, MAX_TITLE_LENGTH } from '#domain/lti/placement';
import { AppError } from '#errors';
import { openHandle } from '#faces/object-view/handle';
import type { Replacement as DeadLinkReplacement } from '#services/catalogue/link-checks/dead-links';
import type { OpenedLink } from '#services/courses/placements/links';
import type { LtiFaceDeps } from '../deps.ts';
import { noteLookedIntoCard } from '../picker/cards.ts';
import { DEFAULT_POINTS } from '../picker/choice-rules.ts';
import { suggestOwnLink } from '../picker/own-link.ts';
import { type LaunchContext, type LtiReply, toTeacherActor } from '../route.ts';
import { mayChangePeople } from './people.ts';
import { redirectToObject } from './replies.ts';

interface Replacement {
  readonly handle: string;
  /** Absent for the title of the object. */
  readonly title?: string;
  /** Absent for the rule of the former object. */
  readonly completion?: CompletionRule;
}

/** Replaces a link's object. If the object's link was dead, the change is audited and undoable. */
export async function replaceBehindLink(
  deps: LtiFaceDeps,
  context: LaunchContext,
  { handle, title, completion }: Replacement,
): Promise<LtiReply> {
  const { launch } = context;
  await requireChange(deps, context);
  const { placements, keyring } = deps;
  const opened = openHandle(handle, { keyring, tenantId: launch.tenantId });
  noteLookedIntoCard(deps, context, opened);
  await suggestOwnLink(deps, context, opened);
  const former = await placements.findChosen(launch);
  const dead = await findDeadLinkToReplace(deps, context);
  if (dead !== null) {
    const settings = { ...(title !== undefined && { title }), ...(completion !== undefined && { completion }) };
    await replaceDeadLink(deps, context, dead, { ...opened, ...settings });
    return redirectToObject(context, 'replaced');
  }
  const { object, requestId } = opened;
  const defaultPoints = takesScores(launch) ? DEFAULT_POINTS : null;
  await placements.replace(launch, {
    object,
    requestId,
    title: title ?? object.title.slice(0, MAX_TITLE_LENGTH),
    completion: completion ?? former?.completion ?? 'marked',
    points: former === null ? defaultPoints : former.points,
  });
  return redirectToObject(context, 'replaced', new URLSearchParams(former === null ? {} : { former: former.id }));
}

async function findDeadLinkToReplace({ placements, deadLinks }: LtiFaceDeps, { launch }: LaunchContext) {
  const opened = await placements.openLink(launch);
  if (opened === null) return null;
  const check = await deadLinks.findCheck(launch.tenantId, opened.placement.object.url);
  return check?.state === 'dead' ? opened : null;
}

export async function replaceDeadLink(
  { deadLinks }: LtiFaceDeps,
  context: LaunchContext,
  { link, placement }: Pick<OpenedLink, 'link' | 'placement'>,
  replacement: DeadLinkReplacement,
): Promise<void> {
  const target = { tenantId: link.tenantId, url: placement.object.url, linkIds: [link.id] };
  await deadLinks.replace(toTeacherActor(context), target, replacement);
}

export async function replaceWithSimilar(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  await requireChange(deps, context);
  return replaceBehindLink(deps, context, { handle: context.form.get('handle') ?? '' });
}

export async function undoReplacement(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink) {
  await requireChange(deps, context);
  const former = context.form.get('former');
  if (former !== null)
    return redirectToObject(context, (await deps.placements.restore(context.launch, former)) ? 'undone' : 'changed');
  const mend = await deps.deadLinks.findReplaced(opened);
  if (mend?.changes.length !== 1) return redirectToObject(context, 'changed');
  await deps.deadLinks.undo(toTeacherActor(context), mend.tenantId, mend.id);
  return redirectToObject(context, 'undone');
}

/** Errors: ROLE_INSUFFICIENT for people who may not change the course. */
export async function requireChange(deps: LtiFaceDeps, context: LaunchContext): Promise<void> {
  if (await mayChangePeople(deps, context)) return;
  throw new AppError(
    'ROLE_INSUFFICIENT',
    'In this course you may see and grade, but not change what is there. Ask somebody who may edit the course.',
  );
}
