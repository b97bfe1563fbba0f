/** Makes a function that requests a height of the frame in pixels, by the platform's message in
 *  `[data-resize-subject]`; null if no platform sets it. */
export function createHeightRequester(): ((height: number) => void) | null {
  const { resizeSubject = '', resizeTargets = '' } =
    document.querySelector<HTMLElement>('[data-resize-subject]')?.dataset ?? {};
  if (resizeSubject === '' || window.parent === window) return null;
  const origins = resizeTargets.split(' ').filter((origin) => origin !== '');
  const [parent] = location.ancestorOrigins ?? [];
  // Messages to origins other than the framing one would fill the console with errors.
  const targets = parent !== undefined && origins.includes(parent) ? [parent] : origins;
  return (height) => {
    for (const target of targets) window.parent.postMessage({ subject: resizeSubject, height }, target);
  };
}
