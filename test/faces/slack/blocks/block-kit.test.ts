import { expect, test } from 'vitest';
import { checkMessage, checkView } from '../../../../demo/slack/block-kit/check.ts';
import {
  actions,
  button,
  confirmation,
  divider,
  header,
  linkButton,
  picture,
  sectionBlock,
  smallText,
} from '../../../../src/faces/slack/blocks/block-kit.ts';
import { option, overflowMenu, selectMenu, typeaheadMenu } from '../../../../src/faces/slack/blocks/menus.ts';
import { drawModal, dropPictures } from '../../../../src/faces/slack/blocks/messages.ts';

/** Every builder with the same text. */
function everything(text: string) {
  const options = Array.from({ length: 150 }, (_, index) => option(String(index), text));
  const confirm = confirmation({ title: text, text, confirm: text, deny: text });
  return [
    header(text),
    sectionBlock(text || '–', picture('https://example.org/a.png', `Picture ${text}`) ?? undefined),
    smallText(...Array.from({ length: 20 }, () => `Line ${text}`)),
    divider,
    actions(
      Array.from({ length: 30 }, (_, index) =>
        button({ actionId: `a${index}`, text, value: 'v', label: `Do ${text}`, confirm }),
      ),
      'row',
    ),
    actions([
      linkButton({ actionId: 'open', text, url: 'https://example.org' }),
      selectMenu({ actionId: 's', placeholder: `Choose ${text}`, options, chosen: '3' }),
      typeaheadMenu({ actionId: 'e', placeholder: `Choose ${text}`, chosen: option('1', text) }),
      overflowMenu('o', options),
    ]),
  ];
}

test.each(['Text', '', '\u202e', 'x'.repeat(9_000), '👩‍👩‍👧‍👦'.repeat(1_000)])(
  '%# is within what Slack takes',
  (text) => {
    for (const block of everything(text)) {
      // One by one, as together they may be more than a message takes.
      expect(checkMessage({ text: 'x', blocks: [block] }).filter(({ problem }) => !/together/.test(problem))).toEqual(
        [],
      );
    }
    const parts = { title: text, close: text, submit: text, callbackId: 'c', privateMetadata: 'token:1' };
    expect(checkView(drawModal({ ...parts, blocks: [sectionBlock('x')] }))).toEqual([]);
  },
);

test('chooses only an option that the menu has', () => {
  const options = [option('a', 'A'), option('b', 'B')];
  expect(selectMenu({ actionId: 's', placeholder: 'p', options, chosen: 'b' }).initial_option).toEqual(options[1]);
  expect(selectMenu({ actionId: 's', placeholder: 'p', options, chosen: 'c' })).not.toHaveProperty('initial_option');
});

test('makes no picture of an address that Slack would not fetch', () => {
  expect(picture('http://example.org/a.png', 'A')).toBeNull();
  expect(picture(null, 'A')).toBeNull();
});

test('removes pictures from a message', () => {
  const image = picture('https://example.org/a.png', 'A')!;
  const message = { text: 'x', blocks: [sectionBlock('one', image), sectionBlock('two'), { ...image }] };
  expect(dropPictures(message).blocks).toEqual([sectionBlock('one'), sectionBlock('two')]);
});
