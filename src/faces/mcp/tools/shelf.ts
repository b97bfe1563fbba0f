import { randomUUID } from 'node:crypto';
import { type ToolInput, writeToolObject } from '#contract/index';
import { normalizeObjectAddress } from '#domain/learning-object';
import { AppError } from '#errors';
import type { ShelfOwner } from '#ports/store/store';
import { requirePersonForTool, type Tool, type ToolAnswer, type ToolContext, toShortToolObjects } from './tool.ts';

const PAGE_SIZE = 10;
type Input = ToolInput<'my_shelf'>;
type Answer = ToolAnswer<'my_shelf'>;

export const myShelf: Tool<'my_shelf'> = async (context, input) => {
  const owner = requirePersonForTool(context);
  if (input.action === 'list') return readShelfForTool(context, owner, input.page);
  const { url } = input;
  if (url === undefined)
    throw new AppError('PARAMETERS_INVALID', `To ${input.action} an object, its address is needed as url.`, {
      problems: [{ path: 'url', problem: 'is required: the address of a learning object' }],
    });
  return input.action === 'save' ? shelve(context, owner, { ...input, url }) : unshelve(context, owner, url);
};

async function readShelfForTool({ deps, t }: ToolContext, owner: ShelfOwner, page: number): Promise<Answer> {
  const { items, total } = await deps.shelf.list(owner, { page, pageSize: PAGE_SIZE });
  const written = items.map(({ object, requestId }) => writeToolObject(object, { requestId: requestId ?? undefined }));
  const summary = t('assistantTools.shelf', { count: total });
  return { data: { done: 'listed', total, items: written }, summary, short: toShortToolObjects };
}

async function shelve({ deps, tenant, signal, t }: ToolContext, owner: ShelfOwner, input: Input & { url: string }) {
  const object = await deps.cachedObjects.get(tenant.id, input, { signal });
  const done = await deps.shelf.save(owner, { object, requestId: input.request_id ?? null });
  return {
    data: { done, items: [writeToolObject(object)] },
    summary: t(`assistantTools.shelfDone.${done}`),
    short: toShortToolObjects,
  };
}

async function unshelve({ deps, t }: ToolContext, owner: ShelfOwner, url: string): Promise<Answer> {
  const done = (await deps.shelf.remove(owner, url)) ? 'removed' : 'not-there';
  return { data: { done }, summary: t(`assistantTools.shelfDone.${done}`) };
}

export const placeInCourse: Tool<'place_in_course'> = async (context, { objects: references }) => {
  const { deps, t } = context;
  const owner = requirePersonForTool(context);
  const { objects, unknown } = await findShelfObjects(context, references);
  const courses = await deps.selections.prepare(owner, { id: randomUUID(), objects });
  const summary = t('assistantTools.placed', { count: objects.length });
  const notices = unknown.length === 0 ? [] : [t('assistantTools.someUnknown', { count: unknown.length })];
  return {
    data: { prepared: objects.length, courses, ...(unknown.length > 0 && { unknown, notices }) },
    summary: [summary, ...notices].join(' '),
  };
};

/** Finds objects, each once. Errors: OBJECT_UNKNOWN if there is none. */
export async function findShelfObjects(context: ToolContext, references: ToolInput<'place_in_course'>['objects']) {
  const { deps, tenant, signal, t } = context;
  const results = await Promise.all(
    references.map((reference) => deps.cachedObjects.find(tenant.id, reference, { signal })),
  );
  const existing = results.filter((object) => object !== null);
  const objects = [...new Map(existing.map((object) => [normalizeObjectAddress(object.url), object])).values()];
  if (objects.length === 0) throw new AppError('OBJECT_UNKNOWN', t('assistantTools.noneKnown'));
  return { objects, unknown: references.filter((_, index) => results[index] === null).map(({ url }) => url) };
}
