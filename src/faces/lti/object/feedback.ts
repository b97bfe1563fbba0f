import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FeedbackRole } from '#domain/feedback';
import type { Launch, LaunchRole } from '#domain/lti/launch';
import { toLtiPerson } from '#domain/lti/placement';
import { isEmail } from '#domain/text';
import { AppError, hasErrorCode } from '#errors';
import type { Verdict } from '#ports/store/store';
import { UNDO_MS } from '#services/courses/completions/completions';
import type { OpenedLink } from '#services/courses/placements/links';
import {
  isFeedbackGiverHidden,
  makeFeedbackEmail,
  writeFeedbackComment,
} from '#services/people/feedback/given-feedback';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply } from '../route.ts';
import { type ChangeMessage, isReplyToScript, redirectToObject, replyWithPart } from './replies.ts';

const MAX_COMMENT = 1_000;
const verdicts = ['useful', 'not-useful', 'broken'] as const satisfies readonly Verdict[];

const feedbackForm = z.object({
  verdict: z.enum(verdicts),
  comment: z
    .string()
    .trim()
    // Browsers count a line break as one character, but send two.
    .transform((text) => text.replaceAll('\r\n', '\n'))
    .pipe(z.string().max(MAX_COMMENT))
    .default(''),
});

type FeedbackForm = z.infer<typeof feedbackForm>;

const roles: Readonly<Record<LaunchRole, FeedbackRole>> = { instructor: 'staff', learner: 'learner', other: 'unknown' };

interface FeedbackState {
  readonly context: LaunchContext;
  readonly opened: OpenedLink;
  readonly verdict: Verdict | null;
  readonly message?: ChangeMessage;
  /** The form to take back, with the verdict before it; null if nothing can be taken back. */
  readonly undoable?: (FeedbackForm & { readonly before: Verdict | null }) | null;
  readonly comment?: string;
}

/** Makes the form for feedback; null where nobody would read it. */
export async function toFeedbackPart(deps: Pick<LtiFaceDeps, 'tenants'>, state: FeedbackState) {
  const { context, opened, verdict, message = null, undoable = null, comment = '' } = state;
  const { launch, token } = context;
  const { id, requestId } = opened.placement;
  if (requestId === null && launch.role !== 'learner') return null;
  const { feedback } = await deps.tenants.getTenant(launch.tenantId);
  return {
    verdicts,
    verdict,
    message,
    undoable,
    comment,
    takesComments: requestId !== null,
    isCounted: launch.role === 'learner',
    isNamed: findFeedbackEmail(launch) !== null && !isFeedbackGiverHidden(feedback, roles[launch.role]),
    maxComment: MAX_COMMENT,
    placementId: id,
    token,
  };
}

export async function takeFeedback(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink): Promise<LtiReply> {
  const { launch } = context;
  const form = readFeedbackForm(context);
  const { verdict: before } = await deps.completions.find(launch, opened);
  const person = toLtiPerson(launch.registrationId, launch.user.id);
  const { isAllowed } = await deps.ltiFeedbackLimit.consume(person);
  const isForwarded = isAllowed && (await forwardFeedback(deps, { launch, opened, form }));
  const { verdict } = await deps.completions.giveVerdict(launch, opened, form.verdict);
  const message = isAllowed ? chooseFeedbackMessage(form, isForwarded, launch) : 'enough';
  if (!isReplyToScript(context)) return redirectToObject(context, message);
  const undoable = message === 'thanks' || message === 'kept' ? { ...form, before } : null;
  return replyWithFeedback(deps, { context, opened, verdict: verdict ?? form.verdict, message, undoable });
}

export async function undoFeedback(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink): Promise<LtiReply> {
  const { launch } = context;
  const form = readFeedbackForm(context);
  const before = verdicts.find((verdict) => verdict === context.form.get('before')) ?? null;
  await deps.feedback.withdrawFeedback(launch.tenantId, toFeedbackIdempotencyKey({ launch, opened, form }), UNDO_MS);
  await deps.completions.giveVerdict(launch, opened, before);
  return replyWithFeedback(deps, { context, opened, ...form, message: 'withdrawn' });
}

async function replyWithFeedback(deps: LtiFaceDeps, state: FeedbackState): Promise<LtiReply> {
  const feedback = await toFeedbackPart(deps, state);
  const part = { view: 'object-feedback', title: 'lesson.feedback.title', model: { feedback } };
  return replyWithPart(state.context, part);
}

function chooseFeedbackMessage({ comment }: FeedbackForm, isForwarded: boolean, { role }: Launch): ChangeMessage {
  if (isForwarded) return 'thanks';
  if (role !== 'learner') return 'unheard';
  return comment === '' ? 'kept' : 'lost';
}

/** Errors: PARAMETERS_INVALID. */
function readFeedbackForm({ form: fields, t }: LaunchContext): FeedbackForm {
  const { data } = feedbackForm.safeParse(Object.fromEntries(fields));
  if (data !== undefined) return data;
  throw new AppError('PARAMETERS_INVALID', t('lesson.feedback.invalid', { max: MAX_COMMENT }));
}

interface GivenFeedback {
  readonly launch: Launch;
  readonly opened: OpenedLink;
  readonly form: FeedbackForm;
}

/** Sends feedback to the service that returned the object; false if that service forgot it. */
async function forwardFeedback(deps: LtiFaceDeps, { launch, opened, form }: GivenFeedback): Promise<boolean> {
  const { object, requestId } = opened.placement;
  if (requestId === null) return false;
  const feedback = {
    url: object.url,
    requestId,
    comment: writeFeedbackComment(form.verdict, form.comment),
    email: findFeedbackEmail(launch) ?? makeFeedbackEmail(deps.publicUrl),
    source: `${deps.publicUrl}/lti/object`,
  };
  const idempotencyKey = toFeedbackIdempotencyKey({ launch, opened, form });
  try {
    await deps.feedback.giveFeedback(launch.tenantId, feedback, {
      role: roles[launch.role],
      idempotencyKey,
      holdMs: UNDO_MS,
    });
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'REQUEST_ID_INVALID')) return false;
    throw error;
  }
}

/** Returns the same key for a form that is sent twice, and another key for another opinion. */
function toFeedbackIdempotencyKey({ launch, opened, form }: GivenFeedback): string {
  const { id, email } = launch.user;
  const content = JSON.stringify([opened.link.id, opened.placement.id, id, email, form]);
  return `lti ${createHash('sha256').update(content).digest('hex')}`;
}

/** Returns the e-mail address of a person; null if the platform does not share a valid one. */
const findFeedbackEmail = ({ user }: Launch): string | null =>
  user.email !== null && isEmail(user.email) ? user.email : null;
