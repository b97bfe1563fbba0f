import type { McpServer } from '@modelcontextprotocol/server';
import { promptArguments } from '#contract/index';
import type { Translate } from '../words/i18n.ts';
import type { McpReader } from './deps.ts';

/** What people ask for again and again, ready to be chosen. What they fill in stands apart from what is asked. */
export function registerPrompts(server: McpServer, { t }: McpReader): void {
  const say = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } });
  const about = (name: string) => ({
    title: t(`assistantTools.prompts.${name}.title`),
    description: t(`assistantTools.prompts.${name}.description`),
  });
  const schemas = schemasIn(t);

  server.registerPrompt(
    'plan_course',
    { ...about('plan'), argsSchema: schemas.plan },
    ({ text: syllabus }) => ({ messages: [say(t('assistantTools.prompts.plan.text')), say(syllabus)] }),
  );
  server.registerPrompt(
    'skills_in_job_ad',
    { ...about('skills'), argsSchema: schemas.skills },
    ({ text: ad }) => ({ messages: [say(t('assistantTools.prompts.skills.text')), say(ad)] }),
  );
  server.registerPrompt(
    'learning_path',
    {
      ...about('path'),
      argsSchema: schemas.path,
    },
    ({ from, to }) => ({
      messages: [
        say(t('assistantTools.prompts.path.text')),
        say(t('assistantTools.prompts.path.given', { from, to })),
      ],
    }),
  );
}

/** Made once for each language: a server lives for one request. */
function schemasIn(t: Translate) {
  const known = made.get(t);
  if (known !== undefined) return known;
  const schemas = makeSchemas(t);
  made.set(t, schemas);
  return schemas;
}

const made = new WeakMap<Translate, ReturnType<typeof makeSchemas>>();

const makeSchemas = (t: Translate) => ({
  plan: promptArguments.text(t('assistantTools.prompts.plan.argument')),
  skills: promptArguments.text(t('assistantTools.prompts.skills.argument')),
  path: promptArguments.path(t('assistantTools.prompts.path.from'), t('assistantTools.prompts.path.to')),
});
