/** The text that a plan is made from: how long it is, and beginning with what the platform says of the course. */

import { announce } from '../lti/session.ts';
import { fill, type Words } from './words.ts';

/** @returns whether the text can be sent; says why not */
export function watchText(form: HTMLFormElement, words: Words): () => boolean {
  const field = form.querySelector<HTMLTextAreaElement>('textarea')!;
  const length = form.querySelector<HTMLElement>('#plan-length')!;
  const max = Number(field.dataset.max);
  const isTooLong = () => field.value.length > max;
  const show = (text: string) => {
    length.textContent = text;
    length.className = isTooLong() ? 'problem' : 'quiet';
    field.setAttribute('aria-invalid', String(isTooLong()));
  };
  const count = () => {
    const number = field.value.length.toLocaleString(document.documentElement.lang);
    show(fill(isTooLong() ? words.tooLong : words.length, { number }));
  };
  field.addEventListener('input', count);
  form.querySelector<HTMLElement>('[data-plan-course]')?.addEventListener('click', ({ currentTarget }) => {
    field.value = (currentTarget as HTMLElement).dataset.planCourse ?? '';
    count();
    field.focus();
  });
  count();
  return () => {
    const problem = field.value.trim() === '' ? words.empty : isTooLong() ? length.textContent : null;
    if (problem === null) return true;
    length.textContent = problem ?? '';
    length.className = 'problem';
    announce(problem ?? '');
    field.focus();
    return false;
  };
}
