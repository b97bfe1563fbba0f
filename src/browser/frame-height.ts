/** The height of our frame in the page of the platform, by a message of the platform's own; the
 *  page says in `[data-resize-subject]` which one, and which origins it is for. */

/** @returns a function that asks for a height in pixels; null where nobody can be asked */
export function findFrame(): ((height: number) => void) | null {
  const { resizeSubject = '', resizeTargets = '' } =
    document.querySelector<HTMLElement>('[data-resize-subject]')?.dataset ?? {};
  if (resizeSubject === '' || window.parent === window) return null;
  const targets = targetsAmong(resizeTargets.split(' ').filter((origin) => origin !== ''));
  return (height) => {
    for (const target of targets) window.parent.postMessage({ subject: resizeSubject, height }, target);
  };
}

/** The one that frames us, where the browser says which it is: the others would be refused, and
 *  fill the console. */
function targetsAmong(origins: readonly string[]): readonly string[] {
  const [parent] = location.ancestorOrigins ?? [];
  return parent !== undefined && origins.includes(parent) ? [parent] : origins;
}
