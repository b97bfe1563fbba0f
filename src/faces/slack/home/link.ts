import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import type { LinkCode } from '#services/people/people';
import { divider, input, type ModalView, section, smallText } from '../blocks/block-kit.ts';
import { toMessageModal } from '../blocks/messages.ts';
import { type Reply, readField, refuseField, type SlackContext, type SlackView, type ViewAnswer } from '../listener.ts';
import { type HomeDeps, replyWithHome } from './show-home.ts';

/** Block id and action id of the code that is typed. */
const CODE_FIELD = 'home_link_code';

export const openLinkModal = async ({ people }: HomeDeps, { owner, words }: SlackContext): Promise<Reply> => ({
  kind: 'modal',
  view: linkModal(await people.createLinkCode(owner), await words()),
});

function linkModal({ code, expiresAt }: LinkCode, words: ObjectWords): ModalView {
  const { t } = words;
  const blocks = [
    section(t('slackHome.link.give')),
    section(`*${code}*`),
    smallText(t('slackHome.link.valid', { time: timeOf(expiresAt) })),
    divider,
    input({
      id: CODE_FIELD,
      label: t('slackHome.link.take'),
      hint: t('slackHome.link.takeHint'),
      element: { type: 'plain_text_input', max_length: 40 },
    }),
  ];
  return toMessageModal(
    { blocks },
    {
      title: t('slackHome.link.short'),
      submit: t('slackHome.link.submit'),
      close: t('slackHome.link.close'),
      callbackId: 'home_link_code',
    },
  );
}

/** Slack shows it in the reader's time zone; the fallback is in UTC. */
function timeOf(at: Date): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  return `<!date^${seconds}^{time}|${at.toISOString().slice(11, 16)} UTC>`;
}

/** What can be wrong with a code, and the text beside its field. */
const problems: Readonly<Record<string, string>> = {
  LINK_CODE_INVALID: 'slackHome.link.invalid',
  LINK_CODE_THROTTLED: 'slackHome.link.throttled',
  SHELF_FULL: 'slackHome.link.full',
};

export async function submitLinkCode(
  deps: HomeDeps,
  context: SlackContext,
  { values }: SlackView,
): Promise<ViewAnswer> {
  const code = readField(values, CODE_FIELD)?.value?.trim() ?? '';
  const problem = code === '' ? 'slackHome.link.empty' : await link(deps, context, code);
  const { t } = await context.words();
  if (problem !== null) return refuseField(CODE_FIELD, t(problem));
  const parts = {
    title: t('slackHome.link.short'),
    close: t('slackHome.link.close'),
    callbackId: 'home_linked',
  };
  return {
    show: { kind: 'update', view: toMessageModal({ blocks: [section(t('slackHome.link.done'))] }, parts) },
    afterwards: () => replyWithHome(deps, context),
  };
}

/** @returns what is wrong with the code; null where both are linked now */
async function link({ people }: HomeDeps, { owner }: SlackContext, code: string): Promise<string | null> {
  try {
    await people.link(owner, code);
    return null;
  } catch (error) {
    const problem = error instanceof AppError ? problems[error.code] : undefined;
    if (problem === undefined) throw error;
    return problem;
  }
}

/** A second click must not say that something was unlinked. */
export async function unlink(deps: HomeDeps, context: SlackContext): Promise<Reply> {
  const linked = await deps.people.countLinked(context.owner);
  await deps.people.unlink(context.owner);
  if (linked === 0) return replyWithHome(deps, context);
  return replyWithHome(deps, context, { page: 0, notice: ({ t }) => t('slackHome.link.unlinked') });
}
