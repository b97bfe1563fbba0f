/** One switch that grades all that is chosen, with the same points for each; there is one where several can be chosen. */

import type { TrayItem } from './tray-items.ts';
import type { TrayList } from './tray-list.ts';

interface GradingOfAll {
  readonly place: HTMLElement;
  readonly isGraded: HTMLInputElement;
  readonly points: HTMLInputElement;
}

function findGradingOfAll(form: HTMLElement): GradingOfAll | null {
  const place = form.querySelector<HTMLElement>('[data-tray-all]');
  const isGraded = place?.querySelector<HTMLInputElement>('[data-grade-all]');
  const points = place?.querySelector<HTMLInputElement>('[data-points-all]');
  return place && isGraded && points ? { place, isGraded, points } : null;
}

export function gradeTrayTogether(form: HTMLElement, list: TrayList): void {
  const all = findGradingOfAll(form);
  all?.isGraded.addEventListener('input', () => {
    list.gradeAll(all.isGraded.checked ? all.points.value || all.points.defaultValue : null);
  });
  all?.points.addEventListener('input', () => {
    if (all.points.value !== '') list.gradeAll(all.points.value);
  });
}

/** Points of what is added while all are graded; null where they are not. */
export function readPointsOfAll(form: HTMLElement): string | null {
  const all = findGradingOfAll(form);
  if (all === null || all.place.hidden || !all.isGraded.checked) return null;
  return all.points.value || all.points.defaultValue;
}

/** The switch is half on where some are graded; no points are shown where they differ. */
export function showGradingOfAll(form: HTMLElement, items: readonly TrayItem[]): void {
  const all = findGradingOfAll(form);
  if (all === null) return;
  const graded = items.filter(({ points }) => points !== null);
  const isEach = graded.length === items.length;
  all.place.hidden = items.length < 2;
  all.isGraded.checked = isEach && items.length > 0;
  all.isGraded.indeterminate = !isEach && graded.length > 0;
  const [{ points } = { points: null }] = graded;
  const differs = graded.some((item) => item.points !== points);
  all.points.disabled = !isEach;
  if (document.activeElement !== all.points)
    all.points.value = differs ? '' : (points ?? all.points.defaultValue);
}
