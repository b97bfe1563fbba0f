import { createHash } from 'node:crypto';
import { writeToolObject } from '#contract/index';
import { ASSISTANT_PATH } from '#domain/assistants';
import type { LearningObject } from '#domain/learning-object';
import { toForeignText } from '#domain/text';
import { requireRatePoint } from '#services/host/rate-limits';
import { makeFeedbackEmail } from '#services/people/feedback/given-feedback';
import { findSimilar } from '#services/searching/similar-objects';
import { type Tool, type ToolContext, toShortToolObjects } from './tool.ts';

const MAX_NAME_LENGTH = 60;
const MAX_NAMES = 5;

export const getLearningObject: Tool<'get_learning_object'> = async ({ deps, tenant, signal, t }, reference) => {
  const object = await deps.cachedObjects.get(tenant.id, reference, { signal });
  const writeNames = (names: readonly string[]) =>
    names.slice(0, MAX_NAMES).map((name) => toForeignText(name, MAX_NAME_LENGTH));
  const written = writeToolObject(object, { isAlone: true });
  const { author, publisher } = object;
  const people = {
    ...(author.length > 0 && { author: writeNames(author) }),
    ...(publisher.length > 0 && { publisher: writeNames(publisher) }),
  };
  return {
    data: { object: { ...written, ...people } },
    summary: t('assistantTools.one'),
    short: (data) => toShortToolObjects({ items: [data.object] }),
  };
};

export const similarLearningObjects: Tool<'similar_objects'> = async (context, { max, ...reference }) => {
  const { deps, tenant, signal, t } = context;
  const object = await deps.cachedObjects.get(tenant.id, reference, { signal });
  const items = (await findSimilarLearningObjects(context, object)).slice(0, max);
  const written = items.map((hit) => writeToolObject(hit.object, { requestId: hit.requestId }));
  const summary = t(items.length > 0 ? 'assistantTools.similar' : 'assistantTools.noSimilar', { count: items.length });
  const notices = items.length > 0 ? {} : { notices: [summary] };
  return { data: { items: written, ...notices }, summary, short: toShortToolObjects };
};

/** Finds similar objects with the built-in engine; with an upstream, those for the same skills. */
async function findSimilarLearningObjects({ deps, tenant, signal }: ToolContext, object: LearningObject) {
  const discovery = deps.discoveryOf(tenant.id);
  const alike = await discovery.findAlike(object, { signal });
  if (alike !== null) return alike.map(({ hit }) => hit);
  const similar = await findSimilar({ discovery, tenant, signal, onProblem: deps.onProblem }, object);
  return similar.map(({ hit }) => hit);
}

export const giveLearningObjectFeedback: Tool<'give_feedback'> = async (
  { deps, tenant, person, t },
  { url, request_id, comment },
) => {
  const writeMessage = (seconds: number) => `That is enough feedback for an hour. Try again in ${seconds} s.`;
  if (person !== null) await requireRatePoint(deps.assistantFeedbackLimit, person.person, writeMessage);
  const content = JSON.stringify([person?.person ?? null, url, request_id, comment]);
  await deps.feedback.giveFeedback(
    tenant.id,
    {
      url,
      requestId: request_id,
      comment,
      email: makeFeedbackEmail(deps.publicUrl),
      source: deps.publicUrl + ASSISTANT_PATH,
    },
    {
      role: person === null ? 'program' : 'unknown',
      idempotencyKey: `mcp ${createHash('sha256').update(content).digest('hex')}`,
    },
  );
  return { data: { is_kept: true }, summary: t('assistantTools.feedback') };
};
