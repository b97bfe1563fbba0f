/** What the page says beside the messages. */

import { find, make } from './dom.ts';
import { HostError } from './host.ts';
import { authorOf } from './messages.ts';
import type { Message } from './state.ts';
import { say } from './words.ts';

const problem = find('[data-problem]');
const news = find('#news');
const refusals = find('[data-refusals]');

export const hideProblem = (): void => {
  problem.hidden = true;
};

export function showProblem(text: string): void {
  problem.textContent = text;
  problem.hidden = false;
}

/** @param isShown whether the host has answered before
 *  @returns whether the page is out of date */
export function showFailure(thrown: unknown, isShown: boolean): boolean {
  const refusal = thrown instanceof HostError ? thrown.refusal : null;
  // A browser that keeps no cookie has no chat, however often it asks.
  if (refusal === 'over' && !isShown) showProblem(say('noCookies'));
  else if (refusal === 'over') location.reload();
  else if (refusal === 'changed') showProblem(say('changed'));
  else if (!(thrown instanceof HostError)) showProblem(say('away'));
  else showProblem(refusal === 'busy' ? say('busy', { seconds: thrown.seconds }) : thrown.message);
  return refusal === 'changed';
}

/** Why the app did not take something, by Slack's word for it. */
export const showUndelivered = (error: string): void =>
  showProblem(say(error === 'operation_timeout' ? 'tooLate' : 'failed'));

/** For those who do not see it. */
export function announce(messages: readonly Message[]): void {
  news.textContent = messages.map(describe).join(' ');
}

function describe(message: Message): string {
  const text = `${authorOf(message)}: ${message.text}.`;
  return message.isPrivate ? `${text} ${say('onlyYou')}.` : text;
}

/** What the app sent, and Slack would not have taken. */
export function showRefusals(problems: readonly string[]): void {
  refusals.hidden = problems.length === 0;
  find('ul', refusals).replaceChildren(...problems.map((text) => make('li', {}, text)));
}
