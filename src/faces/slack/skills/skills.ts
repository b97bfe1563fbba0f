import type { ObjectWords } from '#faces/object-view/facts';
import { header, type Message, section, smallText } from '../blocks/block-kit.ts';
import { unescapeSlack } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { readKeptButton } from '../kept-state.ts';
import type { Learn } from '../learn/learn.ts';
import type { ActionListener, CommandListener, Listener } from '../listener.ts';
import { asksForHelp } from '../typed-text.ts';
import { type AskDeps, askForSkills, skillsAskFormListener, skillsAskListener } from './ask-modal.ts';
import { findInMessageListener } from './find-in-message.ts';
import { createSkills, type Skills } from './show-skills.ts';
import { skillsLearnListener, skillsMenuListener, skillsTryListener } from './term-actions.ts';

/** Finding skills for words, in a text, and in a message. */
export function skillsListeners(
  deps: Pick<SlackFaceDeps, 'keptStates' | 'people'>,
  learn: Pick<Learn, 'search'>,
): Listener[] {
  const skills = createSkills(deps, learn);
  return [
    skillsCommandListener(deps, skills),
    skillsLearnListener(deps, learn),
    skillsMenuListener(deps, skills),
    skillsTryListener(deps, skills),
    skillsGroupListener(skills),
    skillsBackListener(skills),
    skillsAskListener(deps),
    skillsAskFormListener(deps, skills),
    findInMessageListener(deps, skills),
  ];
}

/** `/skills data analyst`, `/skills <a long text>`, `/skills`, `/skills help`. */
function skillsCommandListener(deps: AskDeps, skills: Skills): CommandListener {
  return {
    kind: 'command',
    name: '/skills',
    async handle(context, typed) {
      const text = unescapeSlack(typed).trim();
      if (text === '') return { kind: 'modal', view: await askForSkills(deps, context) };
      if (asksForHelp(text)) return { kind: 'message', message: helpMessage(await context.words()) };
      return { kind: 'message', message: await skills.find(context, text) };
    },
  };
}

/** What `/skills help` says. */
function helpMessage({ t }: ObjectWords): Message {
  const title = t('slackSkills.help.title');
  const uses = ['words', 'text', 'modal', 'shortcut', 'learn'].map(
    (use) => `• ${t(`slackSkills.help.${use}`)}`,
  );
  return {
    text: title,
    blocks: [header(title), section(uses.join('\n')), smallText(t('slackSkills.help.private'))],
  };
}

/** All terms of one taxonomy. */
function skillsGroupListener(skills: Skills): ActionListener {
  return {
    kind: 'action',
    actionId: 'skills_group*',
    async handle(context, { value }) {
      const { token, number } = readKeptButton(value);
      return { kind: 'replace', message: await skills.showAgain(context, token, number) };
    },
  };
}

/** What was shown before. */
function skillsBackListener(skills: Skills): ActionListener {
  return {
    kind: 'action',
    actionId: 'skills_back',
    async handle(context, { value }) {
      return { kind: 'replace', message: await skills.showAgain(context, value, null) };
    },
  };
}
