import { createParagraph, fillWords, getElement, onClick, parseHtml, readWords, type Words } from '../dom.ts';
import * as session from '../lti/session.ts';
import { PANEL_SHOWN } from './tabs.ts';
import type { Tray } from './tray.ts';
import { findPlanPart, readTrayItemCards } from './tray-items.ts';

/** Equals `PlanLine` in `src/faces/lti/picker/plan.ts`. */
type PlanLine =
  | { readonly kind: 'plan' | 'section' | 'done'; readonly html: string }
  | { readonly kind: 'problem'; readonly text: string };

const REPLACED = 'replaced';

interface PlanParts {
  readonly form: HTMLFormElement;
  readonly place: HTMLElement;
  readonly words: Words;
}

/** Makes a plan from a text: shows its sections, the objects of each as they arrive, and at last
 *  the stored plan, which can be changed.
 *  @param section that of `views/lti/partials/plan.eta` */
export function startPlan(section: HTMLElement, tray: Tray): void {
  const words = readWords(section);
  const form = getElement<HTMLFormElement>('[data-plan-form]', section);
  const place = getElement('[data-stored-plans]', section);
  const isReady = watchPlanText(form, words);
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
    await makePlanInPicker({ form, place, words }, signal);
    if (signal.reason !== REPLACED) stop.hidden = true;
  });
  stop.addEventListener('click', () => running?.abort());
  onClick(place, '[data-plan-list], [data-plan-open]', () => {
    running?.abort(REPLACED);
    stop.hidden = true;
  });
  startStoredPlans(place, tray);
}

async function makePlanInPicker({ form, place, words }: PlanParts, signal: AbortSignal): Promise<void> {
  const showNote = (text: string | undefined) => showPlanNote(place, text ?? '');
  place.replaceChildren();
  showNote(words.reading);
  try {
    const response = await session.postSessionForm('/picker/plan', new FormData(form), signal);
    if (!(await showPlanLines(response, place))) showNote(words.broken);
  } catch (error) {
    if (signal.reason === REPLACED) return;
    if (signal.aborted) showNote(words.stopped);
    else if (place.querySelector('[data-section]') !== null) showNote(words.broken);
    else session.showSessionProblem(place, error);
  }
  endWaitingPlanSections(place, words);
}

/** @returns whether the plan was completed */
async function showPlanLines(response: Response, place: HTMLElement): Promise<boolean> {
  for await (const line of readPlanLines(response)) {
    if (line.kind === 'section') showPlanSection(place, line.html);
    else if (line.kind === 'problem') showPlanNote(place, line.text);
    else {
      session.showSessionFragment(place, line.html);
      // The form has gone. On small screens, the plan would be above.
      place.querySelector<HTMLElement>('[data-focus]')?.focus();
    }
    if (line.kind === 'problem' || line.kind === 'done') return true;
  }
  return false;
}

function showPlanSection(place: HTMLElement, html: string): void {
  const section = getElement('[data-section]', parseHtml(html));
  place.querySelector(`[data-section="${section.dataset.section}"]`)?.replaceWith(section);
  document.dispatchEvent(new CustomEvent(session.CARDS_SHOWN));
}

function showPlanNote(place: HTMLElement, text: string): void {
  place.querySelector('.plan-note')?.remove();
  place.prepend(createParagraph('notice plan-note', text));
  session.announceStatus(text);
}

function endWaitingPlanSections(place: HTMLElement, words: Words): void {
  for (const waiting of place.querySelectorAll('[data-section] [aria-busy]'))
    waiting.replaceWith(createParagraph('quiet', words.notSearched ?? ''));
}

/** Validates the text of a plan and shows its length; on demand, it starts with the platform's
 *  description of the course.
 *  @returns whether the text can be sent */
function watchPlanText(form: HTMLFormElement, words: Words): () => boolean {
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
    const isEmpty = field.value.trim() === '';
    if (!isEmpty && !isTooLong()) return true;
    if (isEmpty) length.textContent = words.empty ?? '';
    length.className = 'problem';
    session.announceStatus(length.textContent ?? '');
    field.focus();
    return false;
  };
}

/** Reads newline-delimited JSON, line by line as it arrives. */
async function* readPlanLines(response: Response): AsyncGenerator<PlanLine, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let unfinished = '';
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (unfinished + value).split('\n');
    unfinished = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as PlanLine;
  }
}

/** Lists the stored plans, and changes one in place: each form and button of
 *  `views/lti/partials/stored-plan.eta` is answered with the whole part.
 *  @param place that of `views/lti/partials/plan.eta` */
function startStoredPlans(place: HTMLElement, tray: Tray): void {
  const show = async (load: () => Promise<string>, focusId: string | null = null) => {
    place.setAttribute('aria-busy', 'true');
    try {
      session.showSessionFragment(place, await load());
      const same = focusId === null || focusId === '' ? null : document.getElementById(focusId);
      (same ?? place.querySelector<HTMLElement>('[data-focus]'))?.focus();
    } catch (error) {
      session.showSessionProblem(place, error);
    }
    place.removeAttribute('aria-busy');
  };
  const listPlansAgain = () => show(() => session.fetchSessionFragment('/picker/plans'));
  const post = (fields: FormData | Record<string, string>, focusId: string | null = null) =>
    show(async () => (await session.postSessionForm('/picker/plans', fields)).text(), focusId);
  document.addEventListener(PANEL_SHOWN, ({ target }) => {
    if ((target as Element).contains(place) && place.childElementCount === 0) void listPlansAgain();
  });
  onClick(place, '[data-plan-open]', ({ dataset: { planOpen: plan = '' } }) => {
    void show(() => session.fetchSessionFragment('/picker/plans', { plan }));
  });
  onClick(place, '[data-plan-list]', () => void listPlansAgain());
  onClick(place, '[data-take], [data-take-all]', (button) =>
    tray.add(readTrayItemCards(findPlanPart(button, place), { isNew: true })),
  );
  onClick(place, '[data-plan-search]', ({ dataset }) => searchForPlanSkill(dataset.planSearch ?? ''));
  place.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    const button = (event as SubmitEvent).submitter;
    if (!form.matches('[data-plan-edit]')) return;
    event.preventDefault();
    if (button?.ariaDisabled === 'true' || place.ariaBusy === 'true') return;
    const question = button?.dataset.confirm;
    if (question !== undefined && !confirm(question)) return;
    const fields = new FormData(form);
    if (fields.get('from') === 'selection') fields.set('handles', JSON.stringify(tray.listHandles()));
    if (fields.get('wish') !== 'language') fields.delete('lang');
    void post(fields, button?.id ?? null);
  });
  dragPlanItem(place, post);
}

/** Fills the search of the picker and shows it. */
function searchForPlanSkill(skill: string): void {
  getElement('#tab-search').click();
  getElement<HTMLInputElement>('#q').value = skill;
  getElement<HTMLFormElement>('#search').requestSubmit();
}

/** Lets the mouse drag items, for which keyboards have buttons, before an item or to the end. */
function dragPlanItem(place: HTMLElement, post: (fields: Record<string, string>) => Promise<void>): void {
  let dragged: HTMLElement | null = null;
  const itemOf = (target: EventTarget | null) => (target as Element).closest<HTMLElement>('[data-item]');
  place.addEventListener('dragstart', ({ target, dataTransfer }) => {
    dragged = itemOf(target);
    dataTransfer?.setData('text/plain', dragged?.dataset.item ?? '');
  });
  place.addEventListener('dragover', (event) => {
    if (dragged !== null && (event.target as Element).closest('[data-section]')) event.preventDefault();
  });
  place.addEventListener('drop', (event) => {
    const section = (event.target as Element).closest<HTMLElement>('[data-section]');
    const before = itemOf(event.target);
    if (dragged === null || section === null || before === dragged) return;
    event.preventDefault();
    const items = [...section.querySelectorAll('[data-item]')];
    const index = before === null ? items.length : items.indexOf(before);
    const { item = '' } = dragged.dataset;
    const plan = place.querySelector<HTMLElement>('[data-stored-plan]')?.dataset.storedPlan ?? '';
    dragged = null;
    void post({ kind: 'move-item', plan, item, section: section.dataset.section ?? '', place: String(index) });
  });
}
