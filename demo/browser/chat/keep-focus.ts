/** When something is drawn anew, the focus goes to what is in the place of where it was. */

/** To be called before `before` is taken away: what is focused once `after` stands in its place. */
export function keepFocus(before: HTMLElement, after: HTMLElement): void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !before.contains(focused)) return;
  const action = focused.closest<HTMLElement>('[data-action]')?.dataset.action ?? focused.dataset.action;
  const place = listWith(before, action).indexOf(focused);
  requestAnimationFrame(() => {
    const same = listWith(after, action);
    const next = same[place] ?? same.at(-1) ?? after;
    next.focus({ preventScroll: true });
  });
}

const listWith = (within: HTMLElement, action: string | undefined): HTMLElement[] =>
  action === undefined
    ? []
    : [...within.querySelectorAll<HTMLElement>(`[data-action="${CSS.escape(action)}"]`)];
