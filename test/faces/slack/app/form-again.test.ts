import { expect, test } from 'vitest';
import { listElements } from '../../../../demo/slack/surface.ts';
import { AppError } from '../../../../src/errors.ts';
import { type SeenView, wordsOf } from '../../../fakes/slack.ts';
import { startSlack } from '../start-slack.ts';
import { createHold } from './start-signed.ts';

test('a form that fails late comes back with its input and can be submitted again', async () => {
  let canSave = false;
  const saving = createHold();
  const running = await startSlack({
    deps: ({ people }) => ({
      people: {
        ...people,
        async changePreferences(...given) {
          if (canSave) return people.changePreferences(...given);
          await saving.wait();
          throw new AppError('STORE_UNAVAILABLE', 'no');
        },
      },
    }),
  });
  const { ada } = running.slack;
  const saying = (words: string) => (view: SeenView) => wordsOf(view).includes(words);
  await ada.opensHome();
  await ada.clicks(await ada.waitsForHome(saying('No preferences yet')), 'home_preferences', 'Change');
  const modal = await ada.waitsForModal(saying('Providers'));
  await ada.looksUp(modal, 'home_providers', 'open');
  await ada.submits(modal, { home_locale: 'fr', home_types: ['mooc'], home_providers: ['openlearn'] });
  saving.release();
  const again = await ada.waitsForModal(saying('Reference'));
  expect(again.id).toBe(modal.id);
  const initial = listElements(again.blocks).flatMap(({ element }) =>
    [element.initial_option ?? [], element.initial_options ?? []].flat(),
  );
  expect(initial).toMatchObject([
    { value: 'fr' },
    { value: '-' },
    { value: '-' },
    { value: 'mooc' },
    { value: 'openlearn' },
    { value: '-' },
  ]);
  canSave = true;
  await ada.submits(again);
  expect(wordsOf(await ada.waitsForHome(saying('Préférences enregistrées')))).toContain('OpenLearn');
  const { problems } = running.slack;
  await running.close();
  expect(problems).toEqual([]);
});
