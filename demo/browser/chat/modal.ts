/** The modal on top, in one dialog: those below show again when it is closed. */

import { drawBlocks } from './blocks.ts';
import { find, keepFocus, make } from './dom.ts';
import { checkFields } from './field.ts';
import { drawPayload } from './payload.ts';
import type { Value, Values, View } from './state.ts';
import type { Field, Surface } from './surface.ts';
import { say } from './words.ts';

export interface ModalParts {
  surfaceOf(view: View): Surface;
  submit(view: View, fields: readonly Field[]): void;
  close(view: View): void;
  /** Where the focus goes when what had it before is gone. */
  readonly rest: HTMLElement;
}

const TITLE = 'modal-title';

interface Shown {
  readonly view: View;
  /** As the host gave it. */
  readonly content: string;
  readonly fields: readonly Field[];
}

export function createModal({ surfaceOf, submit, close, rest }: ModalParts) {
  const dialog = make('dialog', { class: 'modal', 'aria-labelledby': TITLE });
  document.body.append(dialog);
  let shown: Shown | null = null;
  let opener: Element | null = null;

  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    if (shown !== null) close(shown.view);
  });

  function drawForm(view: View, { fields, ...surface }: Surface, depth: number): HTMLFormElement {
    const body = make('div', { class: 'modal-body scrolls' });
    body.append(...drawWhole(view), ...drawBlocks(view.blocks, { ...surface, fields }));
    const form = make('form', { novalidate: true }, drawHead(view, depth), body, drawFoot(view));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (view.submit !== null && checkFields(fields)) submit(view, fields);
    });
    form.addEventListener('click', ({ target }) => {
      if ((target as Element).closest('[data-close]') !== null) close(view);
    });
    return form;
  }

  function draw(view: View, { depth, content }: { readonly depth: number; readonly content: string }): void {
    const surface = surfaceOf(view);
    const isSame = shown?.view.id === view.id;
    const form = drawForm(view, surface, depth);
    if (isSame) keepFocus(dialog, dialog);
    dialog.replaceChildren(form);
    shown = { view, content, fields: surface.fields };
    if (!dialog.open) dialog.showModal();
    if (!isSame) (form.querySelector<HTMLElement>('[data-focus]') ?? find('h2', form)).focus();
    surface.fields.find(({ block }) => view.errors[block.block_id] !== undefined)?.control.field.focus();
  }

  function end(): void {
    shown = null;
    if (!dialog.open) return;
    dialog.close();
    dialog.replaceChildren();
    if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
    else rest.focus();
  }

  return {
    show(views: readonly View[]): void {
      const top = views.at(-1);
      if (top === undefined) {
        end();
        return;
      }
      if (!dialog.open) opener = document.activeElement;
      const content = JSON.stringify(top);
      const before = shown?.view.id === top.id ? shown : null;
      if (before?.content === content) return;
      draw(before === null ? top : withTyped(top, before.fields), { depth: views.length, content });
    },
    setWaiting(isWaiting: boolean): void {
      dialog.ariaBusy = String(isWaiting);
      const status = dialog.querySelector('.modal-status');
      if (status !== null) status.textContent = isWaiting ? say('waiting') : '';
    },
    /** What is filled in now. */
    fields: (): readonly Field[] => shown?.fields ?? [],
    isOpen: () => dialog.open,
  };
}

/** What is wrong with all of it. */
function drawWhole({ errors }: View): HTMLElement[] {
  const whole = errors[''];
  return whole === undefined ? [] : [make('p', { class: 'notice', role: 'alert' }, whole)];
}

function drawHead({ title }: View, depth: number): HTMLElement {
  const label = depth > 1 ? say('back') : say('close');
  return make(
    'div',
    { class: 'modal-head' },
    make('h2', { id: TITLE, class: 'modal-title', tabindex: '-1' }, title),
    make('button', { type: 'button', class: 'more', 'data-close': true, 'aria-label': label }, depth > 1 ? '‹' : '×'),
  );
}

function drawFoot(view: View): HTMLElement {
  return make(
    'div',
    { class: 'modal-foot' },
    drawPayload({ blocks: view.blocks }),
    make('span', { class: 'modal-status quiet', role: 'status' }),
    make('button', { type: 'button', class: 'plain', 'data-close': true }, view.close ?? say('close')),
    view.submit === null ? null : make('button', { type: 'submit' }, view.submit),
  );
}

/** Slack keeps what is typed where a field of the same names is in the new content. */
function withTyped(view: View, fields: readonly Field[]): View {
  const values: Record<string, Record<string, Value>> = structuredClone(view.values) as never;
  for (const { block, element, control } of fields) {
    if (element.type !== 'plain_text_input') continue;
    const ofBlock = values[block.block_id] ?? {};
    ofBlock[element.action_id] = { value: control.read()[0] ?? null };
    values[block.block_id] = ofBlock;
  }
  return { ...view, values: values as Values };
}
