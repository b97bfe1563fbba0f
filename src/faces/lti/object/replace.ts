import { takesScores } from '../../../domain/lti/launch.ts';
import { type CompletionRule, MAX_TITLE_LENGTH } from '../../../domain/lti/placement.ts';
import { AppError } from '../../../errors.ts';
import type { LtiFaceDeps } from '../deps.ts';
import { DEFAULT_POINTS } from '../picker/choice-rules.ts';
import { openHandle } from '../picker/handle.ts';
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

/** Puts another object behind the link of a launch. What is not given stays as it was with the object before; so do the points,
 *  which the platform has set. */
export async function replaceBehindLink(
  deps: LtiFaceDeps,
  context: LaunchContext,
  { handle, title, completion }: Replacement,
): Promise<LtiReply> {
  const { launch } = context;
  if (!(await mayChangeCourse(deps, context)))
    throw new AppError(
      'ROLE_INSUFFICIENT',
      'In this course you may see and grade, but not change what is there. Ask somebody who may edit the course.',
    );
  const { placements, keyring } = deps;
  const found = openHandle(handle, { keyring, tenantId: launch.tenantId });
  const before = await placements.findChosen(launch);
  const usualPoints = takesScores(launch) ? DEFAULT_POINTS : null;
  await placements.replace(launch, {
    ...found,
    title: title ?? found.object.title.slice(0, MAX_TITLE_LENGTH),
    completion: completion ?? before?.completion ?? 'marked',
    points: before === null ? usualPoints : before.points,
  });
  return redirectToObject(context, 'replaced');
}

/** Puts one of the similar objects in the place of the one that is there. */
export async function replaceWithSimilar(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const opened = await deps.placements.openLink(context.launch);
  if (opened === null || !isAboutPlacement(context, opened)) return redirectToObject(context, 'changed');
  return replaceBehindLink(deps, context, { handle: context.form.get('handle') ?? '' });
}
