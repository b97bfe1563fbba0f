import type { Actor } from '#domain/admin';
import { takesScores } from '#domain/lti/launch';
import { type CompletionRule, MAX_TITLE_LENGTH, toLtiPerson } from '#domain/lti/placement';
import { AppError } from '#errors';
import { openHandle } from '#faces/object-view/handle';
import type { LtiFaceDeps } from '../deps.ts';
import { DEFAULT_POINTS } from '../picker/choice-rules.ts';
import { noteLookedInto } from '../picker/looked-into.ts';
import type { LaunchContext, LtiReply } from '../route.ts';
import { mayChangeCourse } from './people.ts';
import { isAboutPlacement, redirectToObject } from './replies.ts';

export interface Replacement {
  readonly handle: string;
  /** The object's own title when absent. */
  readonly title?: string;
  /** That of the object before when absent. */
  readonly completion?: CompletionRule;
}

/** Puts another object behind the link of a launch. What is not given stays as it was with the
 *  object before; so do the points, which the platform has set. In the place of a dead one, that is
 *  in the audit trail, and can be undone. */
export async function replaceBehindLink(
  deps: LtiFaceDeps,
  context: LaunchContext,
  { handle, title, completion }: Replacement,
): Promise<LtiReply> {
  const { launch } = context;
  await requireChange(deps, context);
  const { placements, keyring } = deps;
  const found = openHandle(handle, { keyring, tenantId: launch.tenantId });
  noteLookedInto(deps, context, found);
  const { object, requestId } = found;
  const before = await placements.findChosen(launch);
  const opened = await findDeadLink(deps, context);
  if (opened !== null) {
    const { link, placement } = opened;
    const what = { tenantId: launch.tenantId, url: placement.object.url, linkIds: [link.id] };
    const settings = {
      ...(title !== undefined && { title }),
      ...(completion !== undefined && { completion }),
    };
    await deps.deadLinks.replace(toTeacher(context), what, { ...found, ...settings });
    return redirectToObject(context, 'replaced');
  }
  const usualPoints = takesScores(launch) ? DEFAULT_POINTS : null;
  await placements.replace(launch, {
    ...{ object, requestId },
    title: title ?? object.title.slice(0, MAX_TITLE_LENGTH),
    completion: completion ?? before?.completion ?? 'marked',
    points: before === null ? usualPoints : before.points,
  });
  return redirectToObject(context, 'replaced');
}

/** The link of the launch, where what it shows is dead. */
async function findDeadLink({ placements, deadLinks }: LtiFaceDeps, { launch }: LaunchContext) {
  const opened = await placements.openLink(launch);
  if (opened === null) return null;
  const check = await deadLinks.findCheck(launch.tenantId, opened.placement.object.url);
  return check?.state === 'dead' ? opened : null;
}

/** Puts one of the similar objects in the place of the one that is there. */
export async function replaceWithSimilar(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, form } = context;
  await requireChange(deps, context);
  const opened = await deps.placements.openLink(launch);
  if (opened === null || !isAboutPlacement(context, opened)) return redirectToObject(context, 'changed');
  return replaceBehindLink(deps, context, { handle: form.get('handle') ?? '' });
}

/** Puts the dead object back that was replaced here. */
export async function undoReplacement(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  await requireChange(deps, context);
  const opened = await deps.placements.openLink(context.launch);
  if (opened === null || !isAboutPlacement(context, opened)) return redirectToObject(context, 'changed');
  const mend = await deps.deadLinks.findReplaced(opened);
  if (mend?.changes.length !== 1) return redirectToObject(context, 'changed');
  await deps.deadLinks.undo(toTeacher(context), mend.tenantId, mend.id);
  return redirectToObject(context, 'undone');
}

/** Errors: ROLE_INSUFFICIENT for those who teach and may not change the course. */
export async function requireChange(deps: LtiFaceDeps, context: LaunchContext): Promise<void> {
  if (await mayChangeCourse(deps, context)) return;
  throw new AppError(
    'ROLE_INSUFFICIENT',
    'In this course you may see and grade, but not change what is there. Ask somebody who may edit the course.',
  );
}

/** Who does it, for the audit trail. */
export function toTeacher({ launch, request }: LaunchContext): Actor {
  const { user, registrationId } = launch;
  const id = toLtiPerson(registrationId, user.id);
  return { kind: 'teacher', id, name: user.name ?? user.id, address: request.ip ?? null };
}
