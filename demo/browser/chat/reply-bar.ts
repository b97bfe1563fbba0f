import { find } from './dom.ts';
import { authorOf } from './messages.ts';
import type { Message } from './state.ts';
import { say } from './words.ts';

/** Which thread is written in. */
export function createReplyBar(field: HTMLElement) {
  const bar = find('[data-thread]');
  let threadTs: string | null = null;
  const end = () => {
    threadTs = null;
    bar.hidden = true;
  };
  find('button', bar).addEventListener('click', () => {
    end();
    field.focus();
  });
  return {
    threadTs: () => threadTs,
    begin(message: Message): void {
      threadTs = message.threadTs ?? message.ts;
      find('span', bar).textContent = say('replyTo', { name: authorOf(message) });
      bar.hidden = false;
      field.focus();
    },
    end,
  };
}
