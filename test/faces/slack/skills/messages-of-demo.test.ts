import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LearnState } from '../../../../src/faces/slack/learn/learn-state.ts';
import { showSkills } from '../../../../src/faces/slack/skills/show-skills.ts';
import { showSkillsOfMessage } from '../../../../src/faces/slack/skills/skills.ts';
import type { SkillsState } from '../../../../src/faces/slack/skills/skills-message.ts';
import { type Locale, readLanguages } from '../../../../src/faces/words/i18n.ts';
import { openStarterService } from '../../../adapters/local/starter-service.ts';
import { choicesIn } from '../learn/read-message.ts';
import { startLearn } from '../learn/start-learn.ts';

const { learning } = openStarterService();
const languages = readLanguages(resolve('demo/views/locales'));

/** The demo chat over the engine and the catalogue that everyone starts with. */
async function startChat(locale: Locale) {
  const running = await startLearn(learning);
  const context = running.contextOf({ locale });
  const stateOf = async <S>(shown: Awaited<ReturnType<typeof showSkillsOfMessage>>, action: string) => {
    const choice = choicesIn(shown).find(({ actionId }) => actionId.startsWith(action));
    return (
      choice && (await running.savedStates.find<S>(context.owner, choice.value.replace(/^[a-z]+:/, '').split(':')[0]!))
    );
  };
  /** Skills and objects of a list that is shown. */
  const read = async (shown: Awaited<ReturnType<typeof showSkillsOfMessage>>) => ({
    skills: (await stateOf<SkillsState>(shown, 'skills_'))?.groups.flatMap(({ labels }) => labels) ?? [],
    titles: (await stateOf<LearnState>(shown, 'learn_save'))?.items.map(({ object }) => object.title) ?? [],
  });
  const t = languages.translatorOf(locale);
  return {
    learn: async () => read(await running.command(t('demoChat.script.learnUsage'), { locale })),
    skills: async () => read(await showSkills(context, t('demoChat.script.skillsUsage'))),
    message: async (name: string) => {
      const source = { text: t(`demoChat.seeds.${name}`), ts: '1.2', threadTs: null };
      return read(await showSkillsOfMessage(context, source));
    },
  };
}
/** What a message of the demo asks for, and the titles that whoever wrote it would want. */
const messages: readonly (readonly [Locale, string, skills: readonly string[], fitting: RegExp, first: string])[] = [
  ['en', 'survey', ['Python'], /python/i, 'Learn Python'],
  ['en', 'surveyReply', ['descriptive statistics'], /statistic/i, 'Intro to Descriptive Statistics'],
  ['en', 'docker', ['Docker'], /docker/i, 'Docker for the Absolute Beginner - Hands On - DevOps'],
  ['fr', 'survey', ['Python', 'pandas (bibliothèque Python)'], /python/i, 'Démarrez votre projet avec Python'],
  ['fr', 'surveyReply', ['statistique'], /statistique|médifact/i, 'Introduction à la statistique avec R'],
  ['fr', 'docker', ['Docker'], /docker/i, 'cocadmin : Débutez de Zéro avec Docker'],
];

describe('the demo chat has nothing that its people would take out', () => {
  test.each(messages)('%s: what is found for the message %s', async (locale, name, skills, fitting, there) => {
    const { message } = await startChat(locale);
    const found = await message(name);
    expect(found.skills).toEqual(skills);
    expect(found.titles).toHaveLength(5);
    expect(found.titles).toContain(there);
    expect(found.titles.filter((title) => !fitting.test(title))).toEqual([]);
  });

  test.each([
    ['en', 'welcome'],
    ['en', 'direct'],
    ['fr', 'welcome'],
    ['fr', 'direct'],
  ] as const)('%s: nothing is found in the idle message %s', async (locale, name) => {
    const { message } = await startChat(locale);
    expect(await message(name)).toEqual({ skills: [], titles: [] });
  });

  test.each([
    ['en', /docker|devops|kubernetes/i, /analy|SQL|data|dashboards|charts/],
    ['fr', /docker|compose/i, /analyste|SQL|données|opérationnelle|tableaux de bord|graphiques|data/],
  ] as const)('%s: what the commands begin with', async (locale, objects, terms) => {
    const chat = await startChat(locale);
    const { titles } = await chat.learn();
    expect(titles).toHaveLength(5);
    expect(titles.filter((title) => !objects.test(title))).toEqual([]);
    const { skills } = await chat.skills();
    expect(skills[0]).toMatch(/^(data analyst|analyste de données)$/);
    expect(skills.filter((skill) => !terms.test(skill))).toEqual([]);
  });
});
