import { input, limits, type ModalView, plainText, smallText } from '../blocks/block-kit.ts';
import { toMessageModal, waitingModal } from '../blocks/messages.ts';
import { cutText } from '../blocks/text.ts';
import { type Reply, readField, refuseField, type SlackContext, type SlackView, type ViewAnswer } from '../listener.ts';
import { findShareTarget, type ShareTarget } from '../share.ts';
import { type SkillsDeps, showSkills } from './show-skills.ts';
import { readSkillsState } from './skills-state.ts';

export const ASK_CALLBACK = 'skills_ask_form';
/** Of the block and its field. */
const FIELD = 'skills_ask_text';

/** Slack takes no more in one field. */
const MAX_PASTED_LENGTH = 3_000;

/** Opens a form for something else. Words that found nothing are there to be changed. */
export async function openAskForm(deps: SkillsDeps, context: SlackContext, token: string): Promise<Reply> {
  const { from, asked, shareTo } = await readSkillsState(deps, context, token);
  const options = { prefilled: from === 'words' ? asked : '', shareTo: shareTo ?? findShareTarget(context) };
  return { kind: 'modal', view: await drawAskForm(deps, context, options) };
}

/** Finds skills for what was typed or pasted: they take the place of the form. */
export async function submitAskForm(deps: SkillsDeps, context: SlackContext, view: SlackView): Promise<ViewAnswer> {
  const words = await context.words();
  const text = readField(view.values, FIELD)?.value?.trim() ?? '';
  if (text === '') return refuseField(FIELD, words.t('slackSkills.ask.empty'));
  const title = words.t('slackSkills.ask.title');
  return {
    show: { kind: 'update', view: waitingModal({ title, callbackId: 'skills_found' }, words) },
    isRepeatable: true,
    afterwards: async () => {
      const shareTo = await deps.savedStates.find<ShareTarget>(context.owner, view.privateMetadata);
      return { kind: 'replace', message: await showSkills(deps, context, text, shareTo) };
    },
  };
}

interface AskOptions {
  readonly prefilled?: string;
  readonly shareTo?: ShareTarget | null;
}

export async function drawAskForm(
  { savedStates }: Pick<SkillsDeps, 'savedStates'>,
  context: SlackContext,
  { prefilled = '', shareTo = findShareTarget(context) }: AskOptions = {},
): Promise<ModalView> {
  const privateMetadata = shareTo === null ? '' : await savedStates.keep(context.owner, shareTo);
  const { t } = await context.words();
  const initial = cutText(prefilled, MAX_PASTED_LENGTH);
  const field = input({
    id: FIELD,
    label: t('slackSkills.ask.label'),
    hint: t('slackSkills.ask.hint'),
    element: {
      type: 'plain_text_input',
      multiline: true,
      max_length: MAX_PASTED_LENGTH,
      focus_on_load: true,
      placeholder: plainText(t('slackSkills.ask.placeholder'), limits.placeholder),
      ...(initial !== '' && { initial_value: initial }),
    },
  });
  return toMessageModal(
    { blocks: [smallText(t('slackSkills.ask.intro')), field] },
    {
      title: t('slackSkills.ask.title'),
      submit: t('slackSkills.ask.submit'),
      close: t('slackSkills.close'),
      callbackId: ASK_CALLBACK,
      privateMetadata,
    },
  );
}
