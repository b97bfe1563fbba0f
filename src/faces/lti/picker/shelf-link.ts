import { AppError } from '#errors';
import type { LtiFaceDeps } from '../deps.ts';
import { type LaunchContext, type LtiReply, type LtiRoute, makePage } from '../route.ts';
import { findShelfOwner } from './cards.ts';

/** The part about one shelf for several accounts of a person. */
interface ShelfLink {
  /** For forms without a script. */
  readonly token: string;
  readonly isShared: boolean;
  /** To be typed in Slack; null where none was asked for. */
  readonly code: string | null;
  /** What was typed here, and what is wrong with it. */
  readonly typed: string;
  readonly problem: string | null;
  /** What has just been done. */
  readonly done: 'linked' | 'unlinked' | null;
}

/** What the reader can do something about is said beside the form. */
const sayable = ['LINK_CODE_INVALID', 'LINK_CODE_THROTTLED', 'SHELF_FULL', 'CHANGED_MEANWHILE'];

/** One shelf for somebody's accounts here and in Slack. Scripts get the part of the page, everyone
 *  else a page of it. */
export function shelfLinkRoutes(deps: LtiFaceDeps): LtiRoute[] {
  const path = '/picker/shelf/link';
  return [
    {
      method: 'get',
      path,
      access: 'picker',
      handle: async (context) => reply(context, await readShelfLink(deps, context)),
    },
    {
      method: 'post',
      path,
      access: 'picker',
      async handle(context) {
        const change = await changeLink(deps, context);
        return reply(context, await readShelfLink(deps, context, change));
      },
    },
  ];
}

function reply(context: LaunchContext, link: ShelfLink): LtiReply {
  if (context.request.get('authorization') !== undefined)
    return { kind: 'fragment', view: 'partials/shelf-link', model: { link } };
  return makePage('shelf-link', { link });
}

async function changeLink(
  { people }: LtiFaceDeps,
  { launch, form, t }: LaunchContext,
): Promise<Partial<ShelfLink>> {
  const owner = findShelfOwner(launch);
  const action = form.get('action');
  if (action === 'get') return { code: (await people.createLinkCode(owner)).code };
  if (action === 'unlink') {
    await people.unlink(owner);
    return { done: 'unlinked' };
  }
  const typed = (form.get('code') ?? '').trim();
  if (typed === '') return { problem: t('shelf.link.problems.empty') };
  try {
    await people.link(owner, typed);
    return { done: 'linked' };
  } catch (error) {
    if (!(error instanceof AppError) || !sayable.includes(error.code)) throw error;
    return { typed, problem: t(`shelf.link.problems.${error.code}`, error.data) };
  }
}

async function readShelfLink(
  { people }: Pick<LtiFaceDeps, 'people'>,
  { launch, token }: Pick<LaunchContext, 'launch' | 'token'>,
  change: Partial<ShelfLink> = {},
): Promise<ShelfLink> {
  const isShared = (await people.countLinked(findShelfOwner(launch))) > 0;
  return { token, isShared, code: null, typed: '', problem: null, done: null, ...change };
}

/** Null where the institution has nothing to share with, and nothing is shared. */
export async function findShelfLink(
  deps: Pick<LtiFaceDeps, 'people' | 'hasOtherShelves'>,
  context: Pick<LaunchContext, 'launch' | 'token'>,
): Promise<ShelfLink | null> {
  const link = await readShelfLink(deps, context);
  return link.isShared || (await deps.hasOtherShelves(context.launch.tenantId)) ? link : null;
}
