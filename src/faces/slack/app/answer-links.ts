import type { types } from '@slack/bolt';
import { slackLinkScopes } from '#domain/slack';
import type { KnownBlock } from '../blocks/block-kit.ts';
import { objectSection } from '../blocks/object-section.ts';
import { sendWithPictures } from '../slack-api/slack-calls.ts';
import type { AnswerDeps } from './call-listener.ts';
import { isBusyError } from './failures.ts';
import { admitRequest, findContext } from './run-listener.ts';
import type { SlackRequest } from './slack-request.ts';

/** Of one message. */
const MAX_LINKS = 5;
const MAX_DESCRIPTION = 300;

/** Unfurls links to pages of objects that people of the tenant can find. Nobody has asked for it,
 *  so a failure is in the log only. Source: Slack, "Unfurling links in messages". */
export async function answerLinks(
  deps: AnswerDeps,
  request: SlackRequest,
  { links, unfurl_id, source }: types.LinkSharedEvent,
): Promise<void> {
  try {
    const urls = [...new Set(links.map(({ url }) => url))].slice(0, MAX_LINKS);
    if (unfurl_id === undefined || source === undefined) return;
    const context = await findContext(deps, request);
    const { scopes } = context.installation;
    if (!slackLinkScopes.every((scope) => scopes.includes(scope))) return;
    if (!(await admitRequest(deps, request, context))) return;
    await deps.limits.runInTurn(context, request, async () => {
      const sections = await drawLinks(deps, context, urls);
      if (sections.size === 0) return;
      // Without pictures there are as many sections as before.
      await sendWithPictures({ text: '', blocks: [...sections.values()] }, deps, ({ blocks }) => {
        const unfurls = [...sections.keys()].map((url, at) => [url, { blocks: blocks.slice(at, at + 1) }]);
        return context.slack.unfurl({ unfurl_id, source, unfurls: Object.fromEntries(unfurls) });
      });
    });
  } catch (error) {
    if (!isBusyError(error)) deps.onProblem(error);
  }
}

/** A block for each address of an object that is found. */
async function drawLinks(
  { publicUrl, findPublishedObject }: AnswerDeps,
  { owner, words }: Awaited<ReturnType<typeof findContext>>,
  urls: readonly string[],
): Promise<ReadonlyMap<string, KnownBlock>> {
  const prefix = `${publicUrl}/objects/`;
  const sections = new Map<string, KnownBlock>();
  for (const url of urls) {
    const [id] = (url.startsWith(prefix) && /^[\w-]+(?=$|[?#])/.exec(url.slice(prefix.length))) || [];
    const object = id === undefined ? null : await findPublishedObject(owner.tenantId, id);
    if (object !== null) sections.set(url, objectSection(object, { maxDescription: MAX_DESCRIPTION }, await words()));
  }
  return sections;
}
