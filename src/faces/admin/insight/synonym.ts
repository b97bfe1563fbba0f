import { z } from 'zod';
import { cutLearningQueryWords, MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { cleanText } from '#domain/text';
import { listLanguageNames } from '#faces/words/language-names';
import type { Term } from '#ports/learning-service';
import { createSynonymSource } from '#services/searching/synonyms';
import type { AdminDeps } from '../deps.ts';
import { type FormState, fillForm, submitForm } from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';

const MAX_LABEL = 100;
const MAX_FOUND = 12;

interface ConceptHit extends Term {
  readonly concept: string;
}

const synonymForm = z.object({
  words: z.string().transform(cleanText).pipe(z.string().min(1, 'required').max(MAX_LABEL, 'tooLong')),
  lang: z.string().regex(/^[a-z]{2}$/, 'required'),
  q: z.string().transform(cutLearningQueryWords),
  concept: z.string('chooseConcept').min(1, 'chooseConcept'),
});

const path = '/insight/synonym';

/** Adds words as synonyms of concepts. For owners only, as all tenants share the taxonomies. */
export const synonymRoutes = [get(path, 'owner', showSynonym), post(path, 'owner', addSynonym)];

async function findConcepts({ local }: AdminDeps, q: string, lang: string): Promise<readonly ConceptHit[]> {
  if (q === '') return [];
  const result = await local.ask('similar', { keywords: q, lang, max: MAX_FOUND });
  const concepts = new Map<string, ConceptHit>();
  for (const term of result) {
    const { concept } = term;
    // Each concept once, under its best label: the engine may return several labels of a concept.
    if (concept !== undefined && !concepts.has(concept)) concepts.set(concept, { ...term, concept });
  }
  return [...concepts.values()];
}

async function showSynonymForm(context: SignedInContext, form: FormState): Promise<PageReply> {
  const { locale, local } = context;
  const listed = await local.ask('listLanguages', {});
  const codes = listed.map(({ value }) => value);
  return makePage('insight-synonym', {
    form,
    found: await findConcepts(context, form.values.q ?? '', locale),
    choices: listLanguageNames(codes, locale),
    maxLabel: MAX_LABEL,
    maxWords: MAX_WORDS_LENGTH,
  });
}

async function showSynonym(context: SignedInContext): Promise<Reply> {
  const { query, locale } = context;
  const words = cutLearningQueryWords(query.get('words') ?? '').slice(0, MAX_LABEL);
  const q = cutLearningQueryWords(query.get('q') ?? '') || words;
  return showSynonymForm(context, fillForm({ words, q, lang: query.get('lang') ?? locale }));
}

function addSynonym(context: SignedInContext): Promise<Reply> {
  const { imports, actor, locale } = context;
  return submitForm(context, {
    schema: synonymForm,
    show: (form) => showSynonymForm(context, form),
    async save({ words, lang, q, concept }) {
      const match = (await findConcepts(context, q, locale)).find((result) => result.concept === concept);
      if (match === undefined) {
        const problems = { concept: context.t('problems.chooseConcept') };
        return { ...(await showSynonymForm(context, { ...fillForm({ words, lang, q }), problems })), status: 422 };
      }
      const label = `${match.label} (${match.source})`;
      const { id } = await imports.start(actor, createSynonymSource({ words, lang, concept, label }));
      return makeRedirect(`/imports/${id}`, 'synonym-added');
    },
  });
}
