/** Submits the selection to the platform; a button does so without scripts. */

import './address.ts';
import { forgetSentTray } from '../sent-tray.ts';

forgetSentTray();
const form = document.querySelector<HTMLFormElement>('#return');
// A page restored from the browser's cache must not submit again.
if (form !== null && performance.getEntriesByType('navigation').every(isNewVisit)) form.submit();

function isNewVisit(entry: PerformanceEntry): boolean {
  return (entry as PerformanceNavigationTiming).type !== 'back_forward';
}
