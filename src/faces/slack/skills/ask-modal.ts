import type { ObjectWords } from '#faces/object-view/facts';
import { limits, type ModalView, plainText, smallText } from '../blocks/block-kit.ts';
import { toMessageModal } from '../blocks/messages.ts';
import { cutText } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { ActionListener, SlackContext, ViewListener } from '../listener.ts';
import { findShareTarget, type ShareTarget } from '../share.ts';
import { waitingModal } from '../waiting-modal.ts';
import type { Skills } from './show-skills.ts';
import { readSkillsState } from './skills-state.ts';

export type AskDeps = Pick<SlackFaceDeps, 'keptStates'>;

/** To type or paste something else. Words that found nothing are there to be changed. */
export function skillsAskListener(deps: AskDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'skills_ask',
    async handle(context, { value }) {
      const { from, asked, shareTo } = await readSkillsState(deps, context, value);
      const prefilled = from === 'words' ? asked : '';
      const view = await askForSkills(deps, context, {
        prefilled,
        shareTo: shareTo ?? findShareTarget(context),
      });
      return { kind: 'modal', view };
    },
  };
}

export const ASK_CALLBACK = 'skills_ask_form';
/** Of the block and its field. */
export const ASK_FIELD = 'skills_ask_text';

/** What was typed or pasted: its skills take the place of the form. */
export function skillsAskFormListener(deps: AskDeps, skills: Pick<Skills, 'find'>): ViewListener {
  return {
    kind: 'view',
    callbackId: ASK_CALLBACK,
    async submit(context, view) {
      const words = await context.words();
      const text = view.values[ASK_FIELD]?.[ASK_FIELD]?.value?.trim() ?? '';
      if (text === '')
        return { show: { kind: 'errors', errors: { [ASK_FIELD]: words.t('slackSkills.ask.empty') } } };
      const title = words.t('slackSkills.ask.title');
      return {
        show: { kind: 'update', view: waitingModal({ title, callbackId: 'skills_found' }, words) },
        isRepeatable: true,
        afterwards: async () => {
          const shareTo = await deps.keptStates.find<ShareTarget>(context.owner, view.privateMetadata);
          return { kind: 'replace', message: await skills.find(context, text, { shareTo }) };
        },
      };
    },
  };
}

interface AskOptions {
  readonly prefilled?: string;
  readonly shareTo?: ShareTarget | null;
}

/** A form to type or paste into. What is found can be shared to where it was asked. */
export async function askForSkills(
  { keptStates }: AskDeps,
  context: SlackContext,
  { prefilled = '', shareTo = findShareTarget(context) }: AskOptions = {},
): Promise<ModalView> {
  const metadata = shareTo === null ? '' : await keptStates.keep(context.owner, shareTo);
  return drawAskModal({ prefilled, metadata }, await context.words());
}

/** Slack takes no more in one field. */
const MAX_PASTED_LENGTH = 3_000;

/** To type or paste. @param prefilled what is in the field at first
 *  @param metadata token of what the answer needs to know; empty where there is nothing */
export function drawAskModal(
  { prefilled, metadata }: { readonly prefilled: string; readonly metadata: string },
  { t }: ObjectWords,
): ModalView {
  const view = toMessageModal(
    { blocks: [smallText(t('slackSkills.ask.intro'))] },
    {
      title: t('slackSkills.ask.title'),
      submit: t('slackSkills.ask.submit'),
      close: t('slackSkills.close'),
      callbackId: ASK_CALLBACK,
      privateMetadata: metadata,
    },
  );
  const initial = cutText(prefilled, MAX_PASTED_LENGTH);
  const field = {
    type: 'input' as const,
    block_id: ASK_FIELD,
    label: plainText(t('slackSkills.ask.label'), limits.label),
    hint: plainText(t('slackSkills.ask.hint'), limits.hint),
    element: {
      type: 'plain_text_input' as const,
      action_id: ASK_FIELD,
      multiline: true,
      max_length: MAX_PASTED_LENGTH,
      focus_on_load: true,
      placeholder: plainText(t('slackSkills.ask.placeholder'), limits.placeholder),
      ...(initial !== '' && { initial_value: initial }),
    },
  };
  return { ...view, blocks: [...view.blocks, field] };
}
