/** The admin page works without this. It folds the menu on narrow screens, copies what is shown once, and shows that a
 *  form is on its way. */

import { offerCopying } from '../copy-buttons.ts';
import { countTickedFields, joinColourField, watchFilterField } from './fields.ts';
import { improveUpstreamForm, keepFormPreview } from './live-forms.ts';
import './live-health.ts';
import './live-import.ts';
import { improveUploadForm } from './upload-form.ts';

const menu = document.querySelector<HTMLDetailsElement>('.menu details');
const narrow = matchMedia('(max-width: 50rem)');
if (menu !== null) {
  // Wide windows have nothing to unfold it with.
  const fold = () => {
    menu.open = !narrow.matches;
  };
  fold();
  narrow.addEventListener('change', fold);
}

offerCopying();

document.addEventListener('submit', ({ target, defaultPrevented }) => {
  if (defaultPrevented) return;
  // After a download the page stays as it is.
  if (target instanceof HTMLFormElement && !('download' in target.dataset)) {
    target.setAttribute('aria-busy', 'true');
  }
});
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  for (const busy of document.querySelectorAll('[aria-busy]')) busy.removeAttribute('aria-busy');
});

for (const part of document.querySelectorAll<HTMLElement>('[data-without-script]')) part.hidden = true;
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-live]')) keepFormPreview(form);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-test]')) improveUpstreamForm(form);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-upload]')) improveUploadForm(form);
for (const part of document.querySelectorAll<HTMLElement>('[data-filter]')) watchFilterField(part);
for (const line of document.querySelectorAll<HTMLElement>('[data-ticked]')) countTickedFields(line);
for (const picker of document.querySelectorAll<HTMLInputElement>('[data-picker-for]'))
  joinColourField(picker);
