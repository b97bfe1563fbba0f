/** A plan from a text: its sections, then the learning objects of each as they arrive; at last the
 *  stored plan, which can be changed. */

import { createParagraph, fillWords, getElement, onClick, parseHtml, readWords, type Words } from '../dom.ts';
import { announce, CARDS_SHOWN, postSessionForm, showFragment, showProblem } from '../lti/session.ts';
import { startStoredPlans } from './stored-plans.ts';
import type { Tray } from './tray.ts';

/** As `PlanLine` in `src/faces/lti/picker/plan.ts`. */
type PlanLine =
  | { readonly kind: 'plan' | 'section' | 'done'; readonly html: string }
  | { readonly kind: 'problem'; readonly text: string };

const REPLACED = 'replaced';

interface PlanParts {
  readonly form: HTMLFormElement;
  readonly place: HTMLElement;
  readonly words: Words;
}

/** @param section that of `views/lti/partials/plan.eta` */
export function startPlan(section: HTMLElement, tray: Tray): void {
  const words = readWords(section);
  const form = getElement<HTMLFormElement>('[data-plan-form]', section);
  const place = getElement('[data-stored-plans]', section);
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
    await makePlan({ form, place, words }, signal);
    if (signal.reason !== REPLACED) stop.hidden = true;
  });
  stop.addEventListener('click', () => running?.abort());
  onClick(place, '[data-plan-list], [data-plan-open]', () => {
    running?.abort(REPLACED);
    stop.hidden = true;
  });
  startStoredPlans(place, tray);
}

async function makePlan({ form, place, words }: PlanParts, signal: AbortSignal): Promise<void> {
  const note = (text: string | undefined) => showNote(place, text ?? '');
  place.replaceChildren();
  note(words.reading);
  try {
    const response = await postSessionForm('/picker/plan', new FormData(form), signal);
    if (!(await showLines(response, place))) note(words.broken);
  } catch (error) {
    if (signal.reason === REPLACED) return;
    if (signal.aborted) note(words.stopped);
    else if (place.querySelector('[data-section]') !== null) note(words.broken);
    else showProblem(place, error);
  }
  endWaitingSections(place, words);
}

/** @returns whether the plan was completed */
async function showLines(response: Response, place: HTMLElement): Promise<boolean> {
  for await (const line of readPlanLines(response)) {
    if (line.kind === 'section') showSection(place, line.html);
    else if (line.kind === 'problem') showNote(place, line.text);
    else {
      showFragment(place, line.html);
      // The form has gone. On small screens, the plan would be above.
      place.querySelector<HTMLElement>('[data-focus]')?.focus();
    }
    if (line.kind === 'problem' || line.kind === 'done') return true;
  }
  return false;
}

function showSection(place: HTMLElement, html: string): void {
  const section = getElement('[data-section]', parseHtml(html));
  place.querySelector(`[data-section="${section.dataset.section}"]`)?.replaceWith(section);
  document.dispatchEvent(new CustomEvent(CARDS_SHOWN));
}

function showNote(place: HTMLElement, text: string): void {
  place.querySelector('.plan-note')?.remove();
  place.prepend(createParagraph('notice plan-note', text));
  announce(text);
}

function endWaitingSections(place: HTMLElement, words: Words): void {
  for (const waiting of place.querySelectorAll('[data-section] [aria-busy]'))
    waiting.replaceWith(createParagraph('quiet', words.notSearched ?? ''));
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

/** Newline-delimited JSON, line by line as it arrives. */
async function* readPlanLines(response: Response): AsyncGenerator<PlanLine, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as PlanLine;
  }
}
