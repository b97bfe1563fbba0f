/** Block Kit, drawn. */

import { make } from './dom.ts';
import { drawElement, drawImage } from './elements.ts';
import { drawField } from './field.ts';
import { drawText } from './mrkdwn.ts';
import type { Block, BlockElement, TextObject } from './state.ts';
import type { Surface } from './surface.ts';
import { say } from './words.ts';

export const drawBlocks = (blocks: readonly Block[], surface: Surface): HTMLElement[] =>
  blocks.map((block) => drawBlock(block, surface));

function drawBlock(block: Block, surface: Surface): HTMLElement {
  switch (block.type) {
    case 'header':
      return make(surface.heading, { class: 'block-header' }, ...textOf(block.text));
    case 'section':
      return drawSection(block, surface);
    case 'context':
      return make('div', { class: 'block-context' }, ...(block.elements ?? []).map(drawSmall));
    case 'actions':
      return drawActions(block, surface);
    case 'divider':
      return make('hr');
    case 'image':
      return drawPicture(block);
    case 'input':
      return drawField(block, surface);
    default:
      return make('p', { class: 'quiet' }, say('unknownBlock', { type: block.type }));
  }
}

const textOf = (text: TextObject | undefined): Node[] => (text === undefined ? [] : drawText(text));

function drawSection(block: Block, surface: Surface): HTMLElement {
  const { text, fields = [], accessory } = block;
  const body = make(
    'div',
    { class: 'section-body' },
    make('div', {}, ...textOf(text)),
    fields.length === 0
      ? null
      : make('div', { class: 'section-fields' }, ...fields.map((field) => make('div', {}, ...drawText(field)))),
  );
  const beside =
    accessory === undefined
      ? null
      : make('div', { class: 'accessory' }, drawElement({ block, element: accessory, surface }));
  return make('div', { class: 'block-section' }, body, beside);
}

function drawActions(block: Block, surface: Surface): HTMLElement {
  const elements = (block.elements ?? []) as readonly BlockElement[];
  return make(
    'div',
    { class: 'block-actions' },
    ...elements.map((element) => drawElement({ block, element, surface })),
  );
}

function drawSmall(element: BlockElement | TextObject): HTMLElement {
  if (element.type === 'image') return drawImage(element as BlockElement);
  return make('span', {}, ...drawText(element as TextObject));
}

function drawPicture({ title, ...image }: Block): HTMLElement {
  const caption = title === undefined ? null : make('figcaption', {}, title.text);
  return make('figure', { class: 'block-image' }, caption, drawImage(image));
}
