/** Who one is, and where. */

import { find, getPresent, make } from './dom.ts';
import type { Seen } from './state.ts';
import { channelName, channels, people, say } from './words.ts';

/** A conversation, or the home of the app. */
export type Where = 'home' | 'conversation';

interface SideParts {
  choosePerson(userId: string): void;
  chooseChannel(channelId: string): void;
  chooseHome(): void;
}

export function createSide(side: HTMLElement, parts: SideParts) {
  const personButtons = people.map(({ id, name, locale }) => {
    const language = make('span', { class: 'side-note' }, say(`locale_${locale}`));
    const button = make('button', { type: 'button' }, name, ' ', language);
    button.addEventListener('click', () => parts.choosePerson(id));
    return button;
  });
  const channelButtons = channels.map(({ id }) => {
    const button = make('button', { type: 'button' });
    button.addEventListener('click', () => parts.chooseChannel(id));
    return button;
  });
  const homeButton = make('button', { type: 'button' }, say('home'));
  homeButton.addEventListener('click', parts.chooseHome);
  const fillList = (name: string, buttons: readonly HTMLElement[]) =>
    find(`[data-${name}]`, side).replaceChildren(...buttons.map((button) => make('li', {}, button)));
  fillList('people', personButtons);
  fillList('channels', channelButtons);
  fillList('apps', [homeButton]);

  return {
    show({ userId, channelId }: Seen, where: Where): void {
      for (const [index, button] of personButtons.entries()) button.ariaPressed = String(people[index]?.id === userId);
      for (const [index, button] of channelButtons.entries()) {
        const channel = getPresent(channels[index], 'a channel');
        button.textContent = channelName(channel, userId);
        setCurrent(button, where === 'conversation' && channel.id === channelId);
      }
      setCurrent(homeButton, where === 'home');
    },
  };
}

function setCurrent(button: HTMLElement, isCurrent: boolean): void {
  if (isCurrent) button.setAttribute('aria-current', 'true');
  else button.removeAttribute('aria-current');
}
