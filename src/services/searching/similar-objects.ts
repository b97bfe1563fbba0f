import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { createLearningObjectQuery } from '#domain/learning-object-query';
import { MAX_TEXT_LENGTH } from '#domain/text';
import { isPassingError } from '#errors';
import type { TenantRecord } from '#ports/store/store';
import type { LearningObjectHit } from './discovery/results.ts';
import type { Discovery } from './discovery.ts';

export interface SearchScope {
  readonly discovery: Discovery;
  readonly tenant: Pick<TenantRecord, 'defaults'>;
  /** Aborted when it has taken too long, or nobody waits any more. */
  readonly signal: AbortSignal;
  onProblem(error: unknown): void;
}

const MAX_SKILLS = 3;
const PER_SKILL = 3;
const MAX_SIMILAR = 6;

/** Finds objects for the skills of the title, those for the first skill first. The description is
 *  used only if the title has no result, as it mentions much besides the subject. Late objects are
 *  left out; never fails because of an upstream. */
export async function findSimilar(scope: SearchScope, object: LearningObject) {
  const { title, description } = object;
  const similar = await findSimilarByText(scope, object, title);
  if (similar.length > 0 || description === undefined) return similar;
  return findSimilarByText(scope, object, `${title}\n${description}`);
}

async function findSimilarByText(
  { discovery, tenant, signal, onProblem }: SearchScope,
  object: LearningObject,
  text: string,
) {
  const objectsBySkill = new Map<string, readonly LearningObjectHit[]>();
  try {
    const plan = { ...createSimilarityPlan(object, tenant), text: text.slice(0, MAX_TEXT_LENGTH) };
    for await (const event of discovery.planFromText(plan, { signal })) {
      if (event.kind === 'skills') for (const { label } of event.skills) objectsBySkill.set(label, []);
      if (event.kind === 'objects') objectsBySkill.set(event.skill, event.items);
    }
  } catch (error) {
    if (!signal.aborted && !isPassingError(error)) onProblem(error);
  }
  const objectAddress = normalizeObjectAddress(object.url);
  const isOther = (item: LearningObjectHit) => normalizeObjectAddress(item.object.url) !== objectAddress;
  const similarTo = (skill: string, items: readonly LearningObjectHit[]) =>
    items
      .filter(isOther)
      .slice(0, PER_SKILL)
      .map((hit) => ({ hit, skill }));
  return [...objectsBySkill].flatMap(([skill, items]) => similarTo(skill, items)).slice(0, MAX_SIMILAR);
}

/** Makes a strict plan: objects that have little to do with the skill do not help here. */
function createSimilarityPlan({ lang }: LearningObject, { defaults }: Pick<TenantRecord, 'defaults'>) {
  const language = lang ?? defaults.lang;
  const strictly = { ...defaults, lang: language, match: 'strict', model: 'strict' } as const;
  const { keywords: _, page: __, max: ___, ...query } = createLearningObjectQuery('', strictly);
  return {
    ...(lang !== undefined && { lang }),
    query,
    maxSkills: MAX_SKILLS,
    // One more, as the object itself may be among them.
    perSkill: PER_SKILL + 1,
  };
}
