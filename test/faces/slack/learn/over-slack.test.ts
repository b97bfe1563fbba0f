import { afterEach, expect, test } from 'vitest';
import { openSmallService } from '../../../adapters/local/services.ts';
import { handlersOf } from '../../../fakes/learning-service.ts';
import { type Seen, type SeenMessage, wordsOf } from '../../../fakes/slack/seen.ts';
import { type RunningSlack, startSlack } from '../start-slack.ts';
import { manyObjects, serviceWith } from './scripted-service.ts';

let running: RunningSlack;
afterEach(async () => {
  expect(running.slack.problems).toEqual([]);
  await running.close();
});

async function start() {
  running = await startSlack();
  const { searchMany, searchProvider, listTypes, listLanguages } = serviceWith(manyObjects(12));
  Object.assign(running.services.local, { searchMany, searchProvider, listTypes, listLanguages });
  return running.slack.ada;
}

const saying = (text: string) => (message: Seen) => wordsOf(message).includes(text);

/** The first object's row has these buttons. */
const clickFirst = (message: SeenMessage, actionId: string) => {
  for (const { block_id: blockId, ...block } of message.blocks) {
    const elements = (block as { elements?: readonly { action_id?: string; value?: string }[] }).elements ?? [];
    const found = elements.find(({ action_id }) => action_id === actionId);
    if (found) return running.slack.ada.chooses(message, actionId, found.value ?? '', blockId);
  }
  throw new Error(`There is no ${actionId}`);
};

test('searches, filters and turns pages in place, for the person alone', async () => {
  const ada = await start();
  expect((await ada.types('/learn “python” type:video')).ok).toBe(true);
  const found = await ada.waitsForMessage(saying('12 resources for “python”'));
  expect(found.isEphemeral).toBe(true);
  await ada.clicks(found, 'learn_page_next', 'Next');
  const second = await ada.waitsForMessage(saying('Page 2 of 3'));
  expect(wordsOf(second)).toContain('Course 6');
  const [filters] = second.blocks.filter(({ block_id }) => block_id.startsWith('learn_filters'));
  await ada.chooses(second, 'learn_filter_lang', '=fr', filters!.block_id);
  const french = await ada.waitsForMessage(saying('Language: French ×'));
  expect(wordsOf(french)).toContain('Page 1 of 3');
  expect(await ada.looksUp(french, 'learn_filter_provider', 'tub')).toEqual([{ label: 'YouTube', value: '=youtube' }]);
  await ada.chooses(french, 'learn_filter_provider', '=youtube');
  const narrowed = await ada.waitsForMessage(saying('Provider: YouTube ×'));
  await ada.clicks(narrowed, 'learn_drop_type_0');
  await ada.waitsForMessage((message) => !saying('Type: Video ×')(message));
  expect(ada.sees().filter(({ from }) => from === 'app')).toHaveLength(1);
  expect(running.slack.benoit.sees()).toEqual([]);
});

test('saves and shares', async () => {
  const ada = await start();
  await ada.types('/learn python');
  const found = await ada.waitsForMessage(saying('12 resources'));
  await clickFirst(found, 'learn_save');
  const saved = await ada.waitsForMessage(saying('Saved'));
  await clickFirst(saved, 'learn_share');
  const preview = await ada.waitsForModal(saying('Everyone in the conversation will see this'));
  await ada.submits(preview, { comment: 'For Monday' });
  const seen = await running.slack.benoit.waitsForMessage(saying('Shared by'));
  expect(wordsOf(seen)).toContain('Shared by <@U1ADA>\nFor Monday\n<https://example.org/courses/1|Course 1>');
  expect(seen.isEphemeral).toBe(false);
  await clickFirst(saved, 'learn_share');
  await ada.submits(await ada.waitsForModal(saying('will see this')), {});
  await ada.waitsForModal(saying('already shared this here'));
  expect(running.slack.benoit.sees()).toHaveLength(1);
});

test('takes feedback in a form', async () => {
  const ada = await start();
  await ada.types('/learn python');
  const found = await ada.waitsForMessage(saying('12 resources'));
  const [row] = found.blocks.flatMap((block) => (JSON.stringify(block).includes('learn_menu') ? [block.block_id] : []));
  const { value } = (
    found.blocks.find(({ block_id }) => block_id === row) as unknown as {
      elements: readonly { action_id: string; options: readonly { value: string }[] }[];
    }
  ).elements.find(({ action_id }) => action_id === 'learn_menu')!.options[2]!;
  await ada.chooses(found, 'learn_menu', value, row);
  const form = await ada.waitsForModal();
  expect(wordsOf(form)).toContain('Course 1');
  await ada.submits(form, { comment: 'The page is gone.' });
  await ada.waitsForModal((view) => wordsOf(view).includes('Thank you'));
  expect(running.services.local.calls.feedback).toMatchObject([{ comment: 'Broken link: The page is gone.' }]);
});

test('answers in French if Slack is in French', async () => {
  await start();
  const { benoit } = running.slack;
  await benoit.types('/learn');
  const help = await benoit.waitsForMessage(saying('Trouver des ressources'));
  await benoit.clicks(help, 'search_open');
  const form = await benoit.waitsForModal();
  expect(wordsOf(form)).toContain('Saisissez des mots');
});

test('corrects a mistyped word, and says so in the language of each person', async () => {
  await start();
  const learning = openSmallService(['Docker', 'Docker in production', 'Java']);
  Object.assign(running.services.local, handlersOf(learning, 'searchMany', 'searchProvider'));
  const { ada, benoit } = running.slack;
  await ada.types('/learn dokcer');
  const found = await ada.waitsForMessage(saying('Showing results for “docker”.'));
  expect(wordsOf(found)).toContain('Docker in production');
  expect(wordsOf(found)).not.toContain('Java');
  await benoit.types('/learn dokcer');
  await benoit.waitsForMessage((message) => /Voici les résultats pour «\sdocker\s»\./.test(wordsOf(message)));
});
