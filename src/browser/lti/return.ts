/** Takes what was chosen to the platform. Without this, a button does. */

import './address.ts';
import { forgetSentTray } from '../sent-tray.ts';

forgetSentTray();
const form = document.querySelector<HTMLFormElement>('#return');
// What is written in the form goes with it, so a page that comes back from the browser's memory
// must not send it again.
if (form !== null && performance.getEntriesByType('navigation').every(isNewVisit)) form.submit();

function isNewVisit(entry: PerformanceEntry): boolean {
  return (entry as PerformanceNavigationTiming).type !== 'back_forward';
}
