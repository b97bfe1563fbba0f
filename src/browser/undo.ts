/** `<form data-undo>` undoes the last action, which the host holds back a little longer. */

const UNDO_SECONDS = 10;

/** Counts down the seconds in `[data-undo-left]`, and then removes the form.
 *  @param whenOver called once then, or when the page is left; not after an undo */
export function watchUndo(place: ParentNode, whenOver: (isLeft: boolean) => void = () => undefined): void {
  const form = place.querySelector<HTMLFormElement>('form[data-undo]');
  if (form === null) return;
  const secondsPlace = form.querySelector('[data-undo-left]');
  let seconds = UNDO_SECONDS;
  const end = (isLeft: boolean) => {
    clearInterval(timer);
    removeEventListener('pagehide', leave);
    // Undone, or rendered again.
    if (!form.isConnected) return;
    const hadFocus = form.contains(document.activeElement);
    const focus = form.closest<HTMLElement>('[tabindex]');
    form.remove();
    if (hadFocus) focus?.focus({ preventScroll: true });
    whenOver(isLeft);
  };
  const leave = () => end(true);
  const show = () => {
    if (secondsPlace !== null) secondsPlace.textContent = `${seconds} s`;
  };
  const timer = setInterval(() => {
    seconds--;
    show();
    // Somebody has pressed it just now.
    if (seconds <= 0 && form.ariaBusy !== 'true') end(false);
  }, 1_000);
  addEventListener('pagehide', leave);
  show();
}
