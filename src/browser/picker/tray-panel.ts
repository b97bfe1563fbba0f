/** What of the tray opens and closes, and what it says. */

import { announce } from '../lti/session.ts';

export interface TrayPanel {
  open(): void;
  /** Say something that is also seen; empty takes it away. */
  notify(text: string): void;
  showCount(number: number): void;
}

export function watchPanel(form: HTMLFormElement): TrayPanel {
  const part = <T extends HTMLElement>(selector: string) => form.querySelector<T>(selector)!;
  const [panel, toggle] = [part('#tray-panel'), part('#tray-toggle')];
  const notice = part('[data-tray-notice]');

  const setOpen = (isOpen: boolean) => {
    panel.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
  };
  toggle.addEventListener('click', () => setOpen(panel.hidden === true));
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || panel.hidden) return;
    event.stopPropagation();
    setOpen(false);
    toggle.focus();
  });
  // Fields that cannot be sent must be seen.
  form.addEventListener(
    'invalid',
    ({ target }) => {
      setOpen(true);
      const settings = (target as Element).closest('details');
      if (settings !== null) settings.open = true;
    },
    { capture: true },
  );

  return {
    open: () => setOpen(true),
    notify(text) {
      notice.textContent = text;
      notice.hidden = text === '';
      if (text !== '') announce(text);
    },
    showCount(number) {
      part('[data-tray-count]').textContent = String(number);
      part('[data-tray-empty]').hidden = number > 0;
      const hint = form.querySelector<HTMLElement>('[data-tray-hint]');
      if (hint !== null) hint.hidden = number < 2;
      form.classList.toggle('has-items', number > 0);
    },
  };
}
