/** Forms that take back what was just done: `<form data-undo>`. The host holds it back a little
 *  longer, so that nothing is lost where the browser ends. */

const UNDO_SECONDS = 10;

/** Shows how many seconds are left in `[data-undo-left]`, and takes the form away when they are
 *  over.
 *  @param whenOver told once then, or when the page is left; not where somebody took it back */
export function watchUndo(place: ParentNode, whenOver: (isLeft: boolean) => void = () => undefined): void {
  const form = place.querySelector<HTMLFormElement>('form[data-undo]');
  if (form === null) return;
  const left = form.querySelector('[data-undo-left]');
  let seconds = UNDO_SECONDS;
  const end = (isLeft: boolean) => {
    clearInterval(timer);
    removeEventListener('pagehide', leave);
    // Taken back, or shown anew.
    if (!form.isConnected) return;
    const hadFocus = form.contains(document.activeElement);
    const focus = form.closest<HTMLElement>('[tabindex]');
    form.remove();
    if (hadFocus) focus?.focus({ preventScroll: true });
    whenOver(isLeft);
  };
  const leave = () => end(true);
  const show = () => {
    if (left !== null) left.textContent = `${seconds} s`;
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
