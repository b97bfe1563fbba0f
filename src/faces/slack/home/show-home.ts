import type { Preferences } from '#domain/person';
import type { ObjectWords } from '#faces/object-view/facts';
import type { HomeView, KnownBlock } from '../blocks/block-kit.ts';
import type { ActionListener, HomeListener, SlackContext } from '../listener.ts';
import { sendWithPictures } from '../slack-api/slack-calls.ts';
import { type HomeDeps, readHome } from './home-model.ts';
import { drawHomeView } from './home-view.ts';

export function showHomeListener(deps: HomeDeps): HomeListener {
  return {
    kind: 'home',
    handle: (context, notice) =>
      showHome(deps, context, notice === undefined ? {} : { notice: () => notice }),
  };
}

export function homePageListener(deps: HomeDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_page_*',
    async handle(context, { value }) {
      await showHome(deps, context, { page: readPageNumber(value) });
      return { kind: 'done' };
    },
  };
}

export interface HomeChange {
  /** From 0; absent: the one that is shown. */
  readonly page?: number;
  /** What has just been done, mrkdwn. */
  readonly notice?: (words: ObjectWords) => string;
  /** As this request has just changed them. */
  readonly preferences?: Preferences;
}

/** Draws Home anew, as it is now. */
export async function showHome(
  deps: HomeDeps,
  context: SlackContext,
  { page = shownPage(context), notice, preferences }: HomeChange = {},
): Promise<void> {
  const [model, words] = await Promise.all([readHome(deps, context, page), context.words(preferences)]);
  await publish(deps, context, drawHomeView({ ...model, notice: notice?.(words) ?? null }, words));
}

/** Home may be open behind a modal that something was changed in; elsewhere it is drawn anew when somebody opens it. Nobody
 *  waits for it. */
export function refreshHome(deps: HomeDeps, context: SlackContext): void {
  if (context.view?.type === 'modal') showHome(deps, context).catch(deps.onProblem);
}

async function publish(
  { onProblem }: HomeDeps,
  { slack, userId }: SlackContext,
  view: HomeView,
): Promise<void> {
  const message = { text: '', blocks: view.blocks as KnownBlock[] };
  await sendWithPictures({ message, onProblem }, ({ blocks }) =>
    slack.publishHome(userId, { ...view, blocks }),
  );
}

/** Zero where the request did not come from Home. */
function shownPage({ view }: SlackContext): number {
  return view?.type === 'home' ? readPageNumber(view.privateMetadata) : 0;
}

/** A number that cannot be read is the first page. */
export const readPageNumber = (text: string): number => (/^\d{1,3}$/.test(text) ? Number(text) : 0);
