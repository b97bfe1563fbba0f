/** The box to write in: messages, and commands, which are offered and explained. */

import { find, make } from './dom.ts';
import { createListbox } from './listbox.ts';
import { authorOf } from './messages.ts';
import type { Message } from './state.ts';
import { say } from './words.ts';

const commands = ['learn', 'skills'] as const;
type Command = (typeof commands)[number];

export function createComposer(form: HTMLFormElement, send: (text: string) => void) {
  const field = find<HTMLTextAreaElement>('textarea', form);
  const list = find('[role="listbox"]', form);
  const hint = find('.composer-hint', form);
  const listbox = createListbox<Command>(field, list, {
    marksFirst: true,
    draw: (command) => [
      make('strong', {}, `/${command}`),
      ' ',
      make('code', {}, say(`${command}Usage`)),
      make('span', { class: 'quiet' }, say(`${command}What`)),
    ],
    choose(command) {
      setText(`/${command} `);
    },
  });

  function setText(text: string): void {
    field.value = text;
    field.focus();
    field.setSelectionRange(text.length, text.length);
    react();
  }

  function react(): void {
    const { value } = field;
    const command = commands.find((name) => value === `/${name}` || value.startsWith(`/${name} `));
    hint.textContent = command === undefined ? say('composerHint') : say(`${command}Hint`);
    const isBeginning = /^\/\w*$/.test(value);
    listbox.show(isBeginning ? commands.filter((name) => `/${name}`.startsWith(value)) : []);
    field.style.height = 'auto';
    field.style.height = `${Math.min(field.scrollHeight + 2, 160)}px`;
  }

  function submit(): void {
    const text = field.value.trim();
    if (text === '') return;
    setText('');
    send(text);
  }

  field.addEventListener('input', react);
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  react();
  return { field, setText, setPlaceholder: (text: string) => field.setAttribute('placeholder', text) };
}

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
