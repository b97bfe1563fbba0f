/** A platform may make our frame higher than its dialog, and scroll the dialog. What sticks to the lower edge of our window is
 *  then out of sight, so it sticks to the edge of what is seen instead. */

/** A message for every hundredth of the height that comes into sight. */
const THRESHOLDS = Array.from({ length: 101 }, (_, percent) => percent / 100);

/** Says in `--unseen-below`, for the styles, how many pixels of the window are out of sight below. */
export function keepToSeenPart(): void {
  if (window.parent === window) return;
  const whole = document.createElement('div');
  whole.className = 'whole-window';
  document.body.append(whole);
  const tell = (entries: readonly IntersectionObserverEntry[]) => {
    const { boundingClientRect: all, intersectionRect: seen } = entries.at(-1) as IntersectionObserverEntry;
    // Nothing of it is seen while people scroll past it.
    const below = seen.height === 0 ? 0 : Math.round(all.bottom - seen.bottom);
    document.documentElement.style.setProperty('--unseen-below', `${below}px`);
  };
  new IntersectionObserver(tell, { threshold: THRESHOLDS }).observe(whole);
}
