import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import type { LinkCode } from '#services/people/link-codes';
import { divider, limits, type ModalView, plainText, section, smallText } from '../blocks/block-kit.ts';
import { toMessageModal } from '../blocks/messages.ts';
import type { ActionListener, SlackContext, ViewAnswer, ViewListener } from '../listener.ts';
import type { HomeDeps } from './home-model.ts';
import { showHome } from './show-home.ts';

/** Block id and action id of the code that is typed. */
export const CODE_FIELD = 'home_link_code';

export function homeLinkListener({ people }: HomeDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_link',
    async handle({ owner, words }) {
      return { kind: 'modal', view: linkModal(await people.createLinkCode(owner), await words()) };
    },
  };
}

/** A code to give, and a field for one that was given. */
export function linkModal({ code, expiresAt }: LinkCode, words: ObjectWords): ModalView {
  const { t } = words;
  const blocks = [
    section(t('slackHome.link.give')),
    section(`*${code}*`),
    smallText(t('slackHome.link.valid', { time: timeOf(expiresAt) })),
    divider,
    {
      type: 'input' as const,
      block_id: CODE_FIELD,
      label: plainText(t('slackHome.link.take'), limits.label),
      hint: plainText(t('slackHome.link.takeHint'), limits.hint),
      element: { type: 'plain_text_input' as const, action_id: CODE_FIELD, max_length: 40 },
    },
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

/** What can be wrong with a code, and what is said beside its field. */
const problems: Readonly<Record<string, string>> = {
  LINK_CODE_INVALID: 'slackHome.link.invalid',
  LINK_CODE_THROTTLED: 'slackHome.link.throttled',
  SHELF_FULL: 'slackHome.link.full',
};

export function homeLinkCodeListener(deps: HomeDeps): ViewListener {
  return {
    kind: 'view',
    callbackId: 'home_link_code',
    async submit(context, { values }) {
      const code = values[CODE_FIELD]?.[CODE_FIELD]?.value?.trim() ?? '';
      const problem = code === '' ? 'slackHome.link.empty' : await link(deps, context, code);
      const words = await context.words();
      if (problem !== null) return refused(words.t(problem));
      return {
        show: { kind: 'update', view: linkedModal(words) },
        afterwards: async () => {
          await showHome(deps, context);
          return { kind: 'done' };
        },
      };
    },
  };
}

/** @returns what is wrong with it; null where both are linked now */
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

const refused = (problem: string): ViewAnswer => ({
  show: { kind: 'errors', errors: { [CODE_FIELD]: problem } },
});

export function linkedModal({ t }: ObjectWords): ModalView {
  return toMessageModal(
    { blocks: [section(t('slackHome.link.done'))] },
    {
      title: t('slackHome.link.short'),
      close: t('slackHome.link.close'),
      callbackId: 'home_linked',
    },
  );
}

/** A second click must not say that something was unlinked. */
export function homeUnlinkListener(deps: HomeDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_unlink',
    async handle(context) {
      const linked = await deps.people.countLinked(context.owner);
      await deps.people.unlink(context.owner);
      await showHome(
        deps,
        context,
        linked > 0 ? { page: 0, notice: ({ t }) => t('slackHome.link.unlinked') } : {},
      );
      return { kind: 'done' };
    },
  };
}
