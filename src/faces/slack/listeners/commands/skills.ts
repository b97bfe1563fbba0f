import { unescapeSlack } from '../../blocks/text.ts';
import type { CommandListener } from '../../listener.ts';
import { helpMessage } from '../../skills/help-message.ts';
import type { Skills } from '../../skills/skills.ts';
import { asksForHelp } from '../../typed-text.ts';

/** `/skills data analyst`, `/skills <a long text>`, `/skills`, `/skills help`. */
export function skillsCommandListener(skills: Skills): CommandListener {
  return {
    kind: 'command',
    name: '/skills',
    async handle(context, typed) {
      const text = unescapeSlack(typed).trim();
      if (text === '') return { kind: 'modal', view: await skills.askFor(context) };
      if (asksForHelp(text)) return { kind: 'message', message: helpMessage(await context.words()) };
      return { kind: 'message', message: await skills.find(context, text) };
    },
  };
}
