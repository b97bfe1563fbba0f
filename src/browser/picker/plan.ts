/** A plan from a text: its skills, then learning objects for each as they arrive. */

import { createParagraph, fillWords, getElement, onClick, readWords, type Words } from '../dom.ts';
import { announce, postSessionForm, showFragment, showProblem } from '../lti/session.ts';
import { startStoredPlans } from './stored-plans.ts';
import type { Tray } from './tray.ts';
import { findPlanPart, readCards } from './tray-items.ts';

/** As `PlanLine` in `src/faces/lti/picker/plan.ts`. */
type PlanLine =
  | { readonly kind: 'skills'; readonly html: string }
  | { readonly kind: 'objects'; readonly skill: number; readonly html: string }
  | { readonly kind: 'problem'; readonly text: string }
  | { readonly kind: 'done'; readonly plan: string | null };

const REPLACED = 'replaced';

interface PlanParts {
  readonly form: HTMLFormElement;
  readonly result: HTMLElement;
  readonly words: Words;
}

/** @param section that of `views/lti/partials/plan.eta` */
export function startPlan(section: HTMLElement, tray: Tray): void {
  const words = readWords(section);
  const form = getElement<HTMLFormElement>('[data-plan-form]', section);
  const result = getElement('[data-plan-result]', section);
  const isReady = watchText(form, words);
  const stop = getElement('[data-plan-stop]', section);
  let running: AbortController | undefined;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (!isReady()) return;
    // The previous plan is replaced, not stopped: nothing more is announced of it.
    running?.abort(REPLACED);
    running = new AbortController();
    const { signal } = running;
    stop.hidden = false;
    await makePlan({ form, result, words }, signal);
    if (signal.reason !== REPLACED) hideStop(stop, form);
  });
  stop.addEventListener('click', () => running?.abort());
  listenToResult(result, tray, words);
  const plans = startStoredPlans(getElement('[data-stored-plans]', section), tray);
  onClick(result, '[data-plan-open]', ({ dataset }) => {
    result.replaceChildren();
    void plans.open(dataset.planOpen ?? '');
  });
}

/** The focus must not vanish with the button. */
function hideStop(stop: HTMLElement, form: HTMLFormElement): void {
  if (document.activeElement === stop) form.querySelector<HTMLElement>('[data-plan-make]')?.focus();
  stop.hidden = true;
}

async function makePlan(parts: PlanParts, signal: AbortSignal): Promise<void> {
  const { form, result, words } = parts;
  const note = (text: string | undefined) => showPlanNote(result, text ?? '');
  result.replaceChildren();
  note(words.reading);
  try {
    const response = await postSessionForm('/picker/plan', new FormData(form), signal);
    if (!(await showLines(response, parts))) note(words.broken);
  } catch (error) {
    if (signal.reason === REPLACED) return;
    if (signal.aborted) note(words.stopped);
    else if (result.querySelector('[data-skill]') !== null) note(words.broken);
    else showProblem(result, error);
  }
  endWaitingSkills(result, words);
}

/** @returns whether the plan was completed */
async function showLines(response: Response, { result, words }: PlanParts): Promise<boolean> {
  for await (const line of readPlanResultLines<PlanLine>(response)) {
    if (line.kind === 'skills') showPlanSkills(result, line.html);
    else if (line.kind === 'objects') showPlanObjects(result, line);
    else {
      if (line.kind === 'problem') showPlanNote(result, line.text);
      else {
        announcePlanReady(result, words);
        if (line.plan !== null) showSaved(result, line.plan, words);
      }
      return true;
    }
  }
  return false;
}

/** What was found is stored as a plan, which can be changed. */
function showSaved(result: HTMLElement, plan: string, words: Words): void {
  const note = createParagraph('notice plan-saved', `${words.saved} `);
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: words.open ?? '' });
  button.dataset.planOpen = plan;
  note.append(button);
  result.prepend(note);
}

function listenToResult(result: HTMLElement, tray: Tray, words: Words): void {
  result.addEventListener('click', (event) => {
    const target = event.target as Element;
    const taking = target.closest('[data-take], [data-take-all]');
    if (taking !== null) tray.add(readCards(findPlanPart(taking, result), { isNew: true }));
    const leaveOut = target.closest<HTMLElement>('[data-leave-out]');
    if (leaveOut !== null) removeSkillFromPlanResult(result, leaveOut, words);
  });
}

/** Validates the text of a plan and shows its length; on demand, it starts with the platform's
 *  description of the course.
 *  @returns whether the text can be sent */
function watchText(form: HTMLFormElement, words: Words): () => boolean {
  const field = getElement<HTMLTextAreaElement>('textarea', form);
  const length = getElement('#plan-length', form);
  const max = Number(field.dataset.max);
  const isTooLong = () => field.value.length > max;
  const show = (text: string) => {
    length.textContent = text;
    length.className = isTooLong() ? 'problem' : 'quiet';
    field.setAttribute('aria-invalid', String(isTooLong()));
  };
  const count = () => {
    const number = field.value.length.toLocaleString(document.documentElement.lang);
    show(fillWords(isTooLong() ? words.tooLong : words.length, { number }));
  };
  field.addEventListener('input', count);
  form.querySelector<HTMLElement>('[data-plan-course]')?.addEventListener('click', ({ currentTarget }) => {
    field.value = (currentTarget as HTMLElement).dataset.planCourse ?? '';
    count();
    field.focus();
  });
  count();
  return () => {
    const problem = field.value.trim() === '' ? words.empty : isTooLong() ? length.textContent : null;
    if (problem === null) return true;
    length.textContent = problem ?? '';
    length.className = 'problem';
    announce(problem ?? '');
    field.focus();
    return false;
  };
}

function showPlanSkills(result: Element, html: string): void {
  showFragment(result, html);
  // On small screens, the plan is below the text.
  result.scrollIntoView();
}

/** A skill that was removed meanwhile has no place. */
function showPlanObjects(result: Element, { skill, html }: { skill: number; html: string }): void {
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

function announcePlanReady(result: Element, words: Words): void {
  const skills = result.querySelectorAll('.plan-skill').length;
  if (skills > 0) announce(fillWords(words.ready, { objects: readCards(result).length, skills }));
}

function showPlanNote(result: Element, text: string): void {
  result.querySelector(':scope > .plan-note')?.remove();
  result.prepend(createParagraph('notice plan-note', text));
  announce(text);
}

function endWaitingSkills(result: Element, words: Words): void {
  for (const place of result.querySelectorAll('[data-plan-objects][aria-busy]')) {
    place.removeAttribute('aria-busy');
    place.replaceChildren(createParagraph('quiet', words.notSearched ?? ''));
  }
}

function removeSkillFromPlanResult(result: HTMLElement, button: HTMLElement, words: Words): void {
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
async function* readPlanResultLines<T>(response: Response): AsyncGenerator<T, void, undefined> {
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
