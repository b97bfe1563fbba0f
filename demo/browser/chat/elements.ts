/** What people act on: buttons, menus, fields. */

import { createCheckboxes, createRadios, createTextInput } from './boxes.ts';
import { confirm } from './confirm.ts';
import { make } from './dom.ts';
import { createMenu } from './menu.ts';
import { createConversationSelect, createExternalSelect, createSelect } from './selects.ts';
import type { Block, BlockElement } from './state.ts';
import type { Control, ControlParts, Surface } from './surface.ts';
import { say } from './words.ts';

const controls: Readonly<Record<string, (parts: ControlParts) => Control>> = {
  static_select: createSelect,
  conversations_select: createConversationSelect,
  external_select: createExternalSelect,
  multi_external_select: createExternalSelect,
  multi_static_select: createCheckboxes,
  checkboxes: createCheckboxes,
  radio_buttons: createRadios,
  plain_text_input: createTextInput,
};

export interface Placed {
  readonly block: Block;
  readonly element: BlockElement;
  readonly surface: Surface;
}

/** In a row of actions or beside a text, where the app is told at once. */
export function drawElement(placed: Placed): HTMLElement {
  const { element } = placed;
  const node = drawPlain(placed);
  // Found again when the block is drawn anew.
  const field = node.matches('button, a, select, input, textarea')
    ? node
    : node.querySelector<HTMLElement>('button, select, input, textarea');
  if (field !== null) field.dataset.action = element.action_id;
  return node;
}

function drawPlain(placed: Placed): HTMLElement {
  const { element } = placed;
  if (element.type === 'button') return drawButton(placed);
  if (element.type === 'overflow') return drawOverflow(placed);
  if (element.type === 'image') return drawImage(element);
  return drawActing(placed);
}

export function drawImage({ image_url: src = '', alt_text: alt = '' }: Pick<BlockElement, 'image_url' | 'alt_text'>) {
  const image = make('img', { src, alt, loading: 'lazy', referrerpolicy: 'no-referrer', class: 'picture' });
  image.addEventListener('error', () => image.classList.add('missing'), { once: true });
  return image;
}

function drawButton(placed: Placed): HTMLElement {
  const { element } = placed;
  const { text, url, style, accessibility_label: label = null } = element;
  const kind = style ?? 'plain';
  if (url !== undefined && /^https?:/i.test(url)) {
    const link = make('a', {
      href: url,
      target: '_blank',
      rel: 'noopener noreferrer',
      class: `button ${kind}`,
      'aria-label': label,
    });
    link.append(text?.text ?? '');
    link.addEventListener('click', () => choose(placed, [], true));
    return link;
  }
  const button = make('button', { type: 'button', class: kind, 'aria-label': label }, text?.text ?? '');
  button.addEventListener('click', () => void chooseIfConfirmed(placed, []));
  return button;
}

function drawOverflow(placed: Placed): HTMLElement {
  const options = placed.element.options ?? [];
  return createMenu(
    say('more'),
    options.map(({ text, value, url }) => ({
      text: text.text,
      url,
      act: () => void chooseIfConfirmed(placed, [value]),
    })),
  );
}

function drawActing(placed: Placed): HTMLElement {
  const { element } = placed;
  const control = createControl(placed, {
    label: element.placeholder?.text ?? say('choose'),
    describedBy: null,
    canBeEmpty: false,
    async onChange() {
      const isChosen = await chooseIfConfirmed(placed, control.read());
      if (!isChosen) control.undo();
    },
  });
  return control.node;
}

export function createControl(
  { block, element, surface }: Placed,
  parts: Pick<ControlParts, 'label' | 'describedBy' | 'canBeEmpty' | 'onChange'>,
): Control {
  const create = controls[element.type] ?? createTextInput;
  const { block_id: blockId } = block;
  const { action_id: actionId } = element;
  return create({
    ...parts,
    element,
    value: surface.values[blockId]?.[actionId],
    channelId: surface.channelId,
    userId: surface.userId,
    suggest: (typed) => surface.suggest(blockId, actionId, typed),
  });
}

async function chooseIfConfirmed(placed: Placed, values: readonly string[]): Promise<boolean> {
  const { confirm: asked, style } = placed.element;
  if (asked !== undefined && !(await confirm(asked, style === 'danger'))) return false;
  choose(placed, values, false);
  return true;
}

const choose = ({ block, element, surface }: Placed, values: readonly string[], isLink: boolean) =>
  surface.choose({ blockId: block.block_id, actionId: element.action_id, values }, isLink);
