/** Stored plans: a list, and one that is changed in place. Each form and button of
 *  `views/lti/partials/stored-plan.eta` gives the whole part anew. */

import { getElement, onClick } from '../dom.ts';
import { fetchSessionFragment, postSessionForm, showFragment, showProblem } from '../lti/session.ts';
import { PANEL_SHOWN } from './tabs.ts';
import type { Tray } from './tray.ts';
import { findPlanPart, readCards } from './tray-items.ts';

/** @param place that of `views/lti/partials/plan.eta` */
export function startStoredPlans(place: HTMLElement, tray: Tray): void {
  const show = async (load: () => Promise<string>, focusId: string | null = null) => {
    place.setAttribute('aria-busy', 'true');
    try {
      showFragment(place, await load());
      const same = focusId === null || focusId === '' ? null : document.getElementById(focusId);
      (same ?? place.querySelector<HTMLElement>('[data-focus]'))?.focus();
    } catch (error) {
      showProblem(place, error);
    }
    place.removeAttribute('aria-busy');
  };
  const list = () => show(() => fetchSessionFragment('/picker/plans'));
  const post = (fields: FormData | Record<string, string>, focusId: string | null = null) =>
    show(async () => (await postSessionForm('/picker/plans', fields)).text(), focusId);
  document.addEventListener(PANEL_SHOWN, ({ target }) => {
    if ((target as Element).contains(place) && place.childElementCount === 0) void list();
  });
  onClick(place, '[data-plan-open]', ({ dataset: { planOpen: plan = '' } }) => {
    void show(() => fetchSessionFragment('/picker/plans', { plan }));
  });
  onClick(place, '[data-plan-list]', () => void list());
  onClick(place, '[data-take], [data-take-all]', (button) =>
    tray.add(readCards(findPlanPart(button, place), { isNew: true })),
  );
  onClick(place, '[data-plan-search]', ({ dataset }) => searchFor(dataset.planSearch ?? ''));
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
  moveByDragging(place, post);
}

/** Fills the search of the picker and shows it. */
function searchFor(skill: string): void {
  getElement('#tab-search').click();
  getElement<HTMLInputElement>('#q').value = skill;
  getElement<HTMLFormElement>('#search').requestSubmit();
}

/** An item takes the place of the one it is dropped on, or the end of a section. Keys have
 *  buttons. */
function moveByDragging(place: HTMLElement, post: (fields: Record<string, string>) => Promise<void>): void {
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
