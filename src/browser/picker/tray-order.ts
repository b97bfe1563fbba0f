/** Moving items of the tray: by their buttons, by Alt and the arrow keys, and by dragging their handles. */

export type MoveTo = (row: HTMLElement, place: number) => void;

export function moveByButtons(list: HTMLElement, moveTo: MoveTo): void {
  list.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-move]') : null;
    if (button !== null) moveBy(button, Number(button.dataset.move), moveTo);
  });
}

export function moveByKeys(list: HTMLElement, moveTo: MoveTo): void {
  list.addEventListener('keydown', (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    // Alt and an arrow key open a list of options, and a calendar.
    const opens = (event.target as Element).matches('select, [type=datetime-local]');
    if (step === undefined || !event.altKey || opens) return;
    event.preventDefault();
    moveBy(event.target as Element, step, moveTo);
  });
}

function moveBy(within: Element, step: number, moveTo: MoveTo): void {
  const row = within.closest('li');
  if (row !== null) moveTo(row, placeOf(row) + step);
}

/** The row follows the pointer; where it is let go, it stays. */
export function moveByDragging(list: HTMLElement, moveTo: MoveTo): void {
  let dragged: HTMLElement | null = null;
  list.addEventListener('dragstart', ({ target, dataTransfer }) => {
    dragged = target instanceof Element && target.matches('.tray-grip') ? target.closest('li') : null;
    if (dragged === null || dataTransfer === null) return;
    dataTransfer.effectAllowed = 'move';
    dataTransfer.setDragImage(dragged, 0, 0);
    dragged.classList.add('is-dragged');
  });
  list.addEventListener('dragover', (event) => {
    const over = event.target instanceof Element ? event.target.closest('li') : null;
    if (dragged === null || over === null) return;
    event.preventDefault();
    if (over !== dragged) moveTo(dragged, placeOf(over));
  });
  list.addEventListener('drop', (event) => event.preventDefault());
  list.addEventListener('dragend', () => {
    dragged?.classList.remove('is-dragged');
    dragged = null;
  });
}

export const placeOf = (row: Element) => [...(row.parentElement?.children ?? [])].indexOf(row);
