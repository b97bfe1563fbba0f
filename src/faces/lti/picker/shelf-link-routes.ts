import { AppError } from '../../../errors.ts';
import type { LtiFaceDeps } from '../deps.ts';
import { type LaunchContext, type LtiReply, type LtiRoute, page } from '../route.ts';
import { shelfOwner } from './shelf-cards.ts';
import { readShelfLink, type ShelfLink } from './shelf-link-model.ts';

/** What the reader can do something about is said beside the form. */
const sayable = ['LINK_CODE_INVALID', 'LINK_CODE_THROTTLED', 'SHELF_FULL', 'CHANGED_MEANWHILE'];

/** One shelf for somebody's accounts here and in Slack. Scripts get the part of the page, everyone else a page of it. */
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
  return page('shelf-link', { link });
}

async function changeLink(
  { people }: LtiFaceDeps,
  { launch, form, t }: LaunchContext,
): Promise<Partial<ShelfLink>> {
  const owner = shelfOwner(launch);
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
