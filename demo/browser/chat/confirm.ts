import { make, makeId } from './dom.ts';
import { drawText } from './mrkdwn.ts';
import type { Confirmation } from './state.ts';

/** Asks as Slack does, and returns whether somebody agreed. */
export function confirm({ title, text, confirm: yes, deny }: Confirmation, isDanger: boolean): Promise<boolean> {
  const id = makeId();
  const dialog = make(
    'dialog',
    { class: 'modal small', 'aria-labelledby': id, role: 'alertdialog' },
    make('h2', { id, class: 'modal-title' }, title.text),
    make('p', {}, ...drawText(text)),
    make(
      'form',
      { method: 'dialog', class: 'modal-foot' },
      make('button', { value: '', class: 'plain' }, deny.text),
      make('button', { value: 'yes', class: isDanger ? 'danger' : '' }, yes.text),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      done(dialog.returnValue === 'yes');
    });
  });
}
