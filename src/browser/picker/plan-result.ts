/** The state of a plan: a note on its progress, its skills, and the cards of each. */

import { createParagraph, fillWords, type Words } from '../dom.ts';
import { announce, showFragment } from '../lti/session.ts';
import { readCards } from './tray-items.ts';

export const hasPlanSkills = (result: Element): boolean => result.querySelector('[data-skill]') !== null;

export function showPlanSkills(result: Element, html: string): void {
  showFragment(result, html);
  // On small screens, the plan is below the text.
  result.scrollIntoView();
}

/** A skill that was removed meanwhile has no place. */
export function showPlanObjects(result: Element, { skill, html }: { skill: number; html: string }): void {
  const place = result.querySelector(`#plan-skill-${skill} [data-plan-objects]`);
  if (place === null) return;
  showFragment(place, html);
  place.removeAttribute('aria-busy');
  showTaking(result);
}

/** Only if the plan has objects that are not in the course. */
function showTaking(result: Element): void {
  for (const button of result.querySelectorAll<HTMLElement>('[data-take], [data-take-all]'))
    button.hidden = readCards(findPlanPart(button, result), { isNew: true }).length === 0;
}

/** The skill or the week that contains a button, else the whole plan. */
export const findPlanPart = (button: Element, result: Element): Element =>
  button.closest('.plan-skill, .plan-week') ?? result;

export function announcePlanReady(result: Element, words: Words): void {
  const skills = result.querySelectorAll('.plan-skill').length;
  if (skills > 0) announce(fillWords(words.ready, { objects: readCards(result).length, skills }));
}

export function showPlanNote(result: Element, text: string): void {
  result.querySelector(':scope > .plan-note')?.remove();
  result.prepend(createParagraph('notice plan-note', text));
  announce(text);
}

export function endWaitingSkills(result: Element, words: Words): void {
  for (const place of result.querySelectorAll('[data-plan-objects][aria-busy]')) {
    place.removeAttribute('aria-busy');
    place.replaceChildren(createParagraph('quiet', words.notSearched ?? ''));
  }
}

export function removeSkillFromPlanResult(result: HTMLElement, button: HTMLElement, words: Words): void {
  const chip = button.closest<HTMLElement>('[data-skill]');
  if (chip === null) return;
  const next = (chip.nextElementSibling ?? chip.previousElementSibling)?.querySelector<HTMLElement>('[data-leave-out]');
  const skill = result.querySelector(`#plan-skill-${chip.dataset.skill}`);
  const week = skill?.closest('.plan-week');
  skill?.remove();
  if (week?.querySelector('.plan-skill') === null) week.remove();
  chip.remove();
  showTaking(result);
  (next ?? result.querySelector<HTMLElement>('#plan-skills-title'))?.focus();
  announce(fillWords(words.leftOut, { skill: button.dataset.leaveOut ?? '' }));
}

/** Newline-delimited JSON, line by line as it arrives. */
export async function* readPlanResultLines<T>(response: Response): AsyncGenerator<T, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as T;
  }
}
