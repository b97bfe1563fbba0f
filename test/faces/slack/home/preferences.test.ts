import type { types } from '@slack/bolt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noPreferences, type Preferences } from '../../../../src/domain/person.ts';
import { AppError } from '../../../../src/errors.ts';
import type { ModalView } from '../../../../src/faces/slack/blocks/block-kit.ts';
import type { ViewValue } from '../../../../src/faces/slack/listener.ts';
import { ada, type StartedHome, startHome, textsOf } from './start-home.ts';

let home: StartedHome;
beforeEach(async () => {
  home = await startHome();
  await home.open();
});
afterEach(() => home.close());

const chosen: Preferences = {
  locale: 'fr',
  lang: 'en',
  level: 'advanced',
  types: ['mooc'],
  providers: ['youtube'],
  itemsPerPage: 3,
};

async function openModal(): Promise<ModalView> {
  const reply = await home.click('home_preferences');
  if (reply.kind !== 'modal') throw new Error(`a modal, not ${reply.kind}`);
  return reply.view;
}

interface Element {
  readonly options?: readonly { readonly value: string }[];
  readonly initial_option?: { readonly value: string };
  readonly initial_options?: readonly { readonly value: string }[];
}

const elementOf = (view: ModalView, blockId: string): Element =>
  inputsOf(view).find(({ block_id: id }) => id === blockId)!.element as Element;

const inputsOf = (view: ModalView): types.InputBlock[] =>
  view.blocks.filter((block): block is types.InputBlock => block.type === 'input');

/** What Slack sends of the modal as it was opened. */
function filledIn(view: ModalView): Record<string, Record<string, ViewValue>> {
  return Object.fromEntries(
    inputsOf(view).map(({ block_id: id, element }) => {
      const { initial_option = null, initial_options = [] } = element as Element;
      const { type } = element;
      return [
        id!,
        {
          [id!]: type.startsWith('multi_')
            ? { type, selected_options: initial_options }
            : { type, selected_option: initial_option },
        },
      ];
    }),
  );
}

const one = (name: string, value: string) => ({
  [`home_${name}`]: { [`home_${name}`]: { type: 'static_select', selected_option: { value } } },
});
const several = (name: string, ...values: string[]) => ({
  [`home_${name}`]: {
    [`home_${name}`]: { type: 'multi_static_select', selected_options: values.map((value) => ({ value })) },
  },
});

test('stores the preferences and uses the chosen language at once', async () => {
  await openModal();
  const shown = await home.send('home_preferences_save', {
    ...one('locale', 'fr'),
    ...one('lang', 'en'),
    ...one('level', 'advanced'),
    ...several('types', 'mooc'),
    ...several('providers', 'youtube'),
    ...one('itemsPerPage', '3'),
  });
  expect(shown).toEqual({ kind: 'close' });
  expect(await home.people.getPreferences(ada)).toEqual(chosen);
  expect(textsOf(home.home())).toContain('Préférences enregistrées.');
  expect(textsOf(home.home())).toContain('YouTube');
});

test('begins with the stored preferences, and keeps those that are not changed', async () => {
  await home.people.changePreferences(ada, chosen);
  await home.send('home_preferences_save', filledIn(await openModal()));
  expect(await home.people.getPreferences(ada)).toEqual(chosen);
});

test('stores nothing if nothing is preferred', async () => {
  await home.send('home_preferences_save', filledIn(await openModal()));
  expect(await home.people.getPreferences(ada)).toEqual(noPreferences);
  expect(textsOf(home.home())).toContain('No preferences yet');
});

test('reads an unknown choice as no preference', async () => {
  const odd = ['locale', 'lang', 'level', 'itemsPerPage'].map((name) => one(name, 'toString'));
  await home.send('home_preferences_save', Object.assign({}, ...odd));
  expect(await home.people.getPreferences(ada)).toEqual(noPreferences);
});

test('offers a preferred value that is no longer listed', async () => {
  const preferences = { ...noPreferences, lang: 'sw', types: ['hologram'], providers: ['gone'] };
  await home.people.changePreferences(ada, preferences);
  const view = await openModal();
  expect(elementOf(view, 'home_lang').initial_option?.value).toBe('sw');
  await home.send('home_preferences_save', filledIn(view));
  expect(await home.people.getPreferences(ada)).toEqual(preferences);
});

test('can be changed while the lists are unavailable', async () => {
  for (const list of ['listProviders', 'listTypes', 'listLanguages'] as const)
    home.local[list] = async () => {
      throw new AppError('UPSTREAM_TIMEOUT', 'It takes too long. Try again.');
    };
  await home.people.changePreferences(ada, chosen);
  const view = await openModal();
  expect(textsOf(view)).toContain('Vos choix précédents sont conservés');
  expect(elementOf(view, 'home_types').options).toHaveLength(14);
  await home.send('home_preferences_save', filledIn(view));
  expect(await home.people.getPreferences(ada)).toEqual(chosen);
  expect(await home.typeProvider('you')).toEqual([]);
});

test('offers providers while somebody types', async () => {
  expect(await home.typeProvider('')).toEqual(['openlearn', 'youtube']);
  expect(await home.typeProvider(' Öpen')).toEqual(['openlearn']);
  expect(await home.typeProvider('nobody')).toEqual([]);
});
