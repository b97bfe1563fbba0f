import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FeedbackRole } from '#domain/feedback';
import type { Launch, LaunchRole } from '#domain/lti/launch';
import { toLtiPerson } from '#domain/lti/placement';
import { isEmail } from '#domain/text';
import { AppError } from '#errors';
import type { Verdict } from '#ports/store/store';
import type { OpenedLink } from '#services/courses/placements/links';
import { isFeedbackGiverHidden, makeFeedbackEmail } from '#services/people/feedback/given-feedback';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply } from '../route.ts';
import {
  isAboutPlacement,
  isAskedByScript,
  redirectToObject,
  replyWithPart,
  type Saying,
} from './replies.ts';

const MAX_COMMENT = 1_000;

const verdicts = ['useful', 'not-useful', 'broken'] as const satisfies readonly Verdict[];

const form = z.object({
  verdict: z.enum(verdicts),
  comment: z
    .string()
    .trim()
    // A browser counts the end of a line as one character and sends two.
    .transform((text) => text.replaceAll('\r\n', '\n'))
    .pipe(z.string().max(MAX_COMMENT))
    .default(''),
});

type FeedbackForm = z.infer<typeof form>;

const roles: Readonly<Record<LaunchRole, FeedbackRole>> = {
  instructor: 'staff',
  learner: 'learner',
  other: 'unknown',
};

/** Verdicts in words: the service that found the object takes nothing but a comment. */
const spoken: Readonly<Record<Verdict, string>> = {
  useful: 'Useful',
  'not-useful': 'Not useful',
  broken: 'Broken link',
};

export interface FeedbackState {
  readonly context: LaunchContext;
  readonly opened: OpenedLink;
  readonly verdict: Verdict | null;
  readonly said?: Saying;
}

/** Null where nobody would read it: the service knows only what it found, and only the verdicts of
 *  learners are counted. */
export async function toFeedbackPart(
  deps: Pick<LtiFaceDeps, 'tenants'>,
  { context, opened, verdict, said }: FeedbackState,
) {
  const { launch, token } = context;
  const { id, requestId } = opened.placement;
  if (requestId === null && launch.role !== 'learner') return null;
  const { feedback } = await deps.tenants.getTenant(launch.tenantId);
  return {
    verdicts,
    verdict,
    said: said ?? null,
    /** Comments go to the service that found the object, so nobody takes them for an object that no
     *  search found. */
    takesComments: requestId !== null,
    isCounted: launch.role === 'learner',
    isNamed: findEmail(launch) !== null && !isFeedbackGiverHidden(feedback, roles[launch.role]),
    maxComment: MAX_COMMENT,
    placementId: id,
    token,
  };
}

export async function takeFeedback(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch } = context;
  const opened = await deps.placements.openLink(launch);
  if (opened === null || !isAboutPlacement(context, opened)) return redirectToObject(context, 'changed');
  const given = readForm(context);
  const person = toLtiPerson(launch.registrationId, launch.user.id);
  const { isAllowed } = await deps.feedbackLimit.consume(person);
  const isPassedOn = isAllowed && (await passFeedbackOn(deps, { launch, opened, given }));
  const { verdict } = await deps.completions.giveVerdict(launch, opened, given.verdict);
  const said = isAllowed ? chooseSaying(given, isPassedOn, launch) : 'enough';
  if (!isAskedByScript(context)) return redirectToObject(context, said);
  const shown = { context, opened, verdict: verdict ?? given.verdict, said };
  const feedback = await toFeedbackPart(deps, shown);
  return replyWithPart(context, {
    view: 'object-feedback',
    title: 'lesson.feedback.title',
    model: { feedback },
  });
}

function chooseSaying({ comment }: FeedbackForm, isPassedOn: boolean, { role }: Launch): Saying {
  if (isPassedOn) return 'thanks';
  if (role !== 'learner') return 'unheard';
  return comment === '' ? 'kept' : 'lost';
}

/** Errors: PARAMETERS_INVALID. */
function readForm({ form: fields, t }: LaunchContext): FeedbackForm {
  const read = form.safeParse(Object.fromEntries(fields));
  if (read.success) return read.data;
  throw new AppError('PARAMETERS_INVALID', t('lesson.feedback.invalid', { max: MAX_COMMENT }));
}

interface Given {
  readonly launch: Launch;
  readonly opened: OpenedLink;
  readonly given: FeedbackForm;
}

/** False where the service that found the object does not know it, or no longer does. */
async function passFeedbackOn(deps: LtiFaceDeps, { launch, opened, given }: Given): Promise<boolean> {
  const { object, requestId } = opened.placement;
  if (requestId === null) return false;
  const { verdict, comment } = given;
  const feedback = {
    url: object.url,
    requestId,
    comment: comment === '' ? `${spoken[verdict]}.` : `${spoken[verdict]}: ${comment}`,
    email: findEmail(launch) ?? makeFeedbackEmail(deps.publicUrl),
    source: `${deps.publicUrl}/lti/object`,
  };
  const idempotencyKey = toIdempotencyKey({ launch, opened, given });
  try {
    await deps.feedback.giveFeedback(launch.tenantId, feedback, { role: roles[launch.role], idempotencyKey });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'REQUEST_ID_INVALID') return false;
    throw error;
  }
}

/** The same key for a form that is sent twice, another one for another opinion. */
function toIdempotencyKey({ launch, opened, given }: Given): string {
  const { id, email } = launch.user;
  const said = JSON.stringify([opened.link.id, opened.placement.id, id, email, given]);
  return `lti ${createHash('sha256').update(said).digest('hex')}`;
}

function findEmail({ user }: Launch): string | null {
  return user.email !== null && isEmail(user.email) ? user.email : null;
}
