import { z } from 'zod';
import { cutLearningQueryWords, MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { cleanText } from '#domain/text';
import { findLanguageName } from '#faces/words/language-names';
import type { Term } from '#ports/learning-service';
import { createSynonymSource } from '#services/searching/synonyms';
import type { AdminDeps } from '../deps.ts';
import { type FormState, fillForm, readForm, refuseForm } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';

const MAX_LABEL = 100;
const MAX_FOUND = 12;

interface ConceptHit extends Term {
  readonly concept: string;
}

const synonymForm = z.object({
  words: z.string().transform(cleanText).pipe(z.string().min(1, 'required').max(MAX_LABEL, 'tooLong')),
  lang: z.string().regex(/^[a-z]{2}$/, 'required'),
  /** The words by which the concept was searched. */
  q: z.string().transform(cutLearningQueryWords),
  concept: z.string('chooseConcept').min(1, 'chooseConcept'),
});

const path = '/insight/synonym';

/** Adding words that people use as synonyms of concepts. For owners only, as all tenants share the
 *  taxonomies. */
export const synonymRoutes: AdminRoute[] = [
  { method: 'get', path, access: 'owner', handle: showSynonym },
  { method: 'post', path, access: 'owner', handle: addSynonym },
];

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

async function showSynonymForm(
  { locale }: SignedInContext,
  deps: AdminDeps,
  form: FormState,
  status = 200,
): Promise<Reply> {
  const { local } = deps;
  const listed = await local.ask('listLanguages', {});
  const names = listed.map(({ value }) => ({ code: value, name: findLanguageName(value, locale) }));
  return makePage(
    'insight-synonym',
    {
      form,
      found: await findConcepts(deps, form.values.q ?? '', locale),
      choices: names.sort((a, b) => a.name.localeCompare(b.name, locale)),
      maxLabel: MAX_LABEL,
      maxWords: MAX_WORDS_LENGTH,
    },
    { status },
  );
}

async function showSynonym(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { query, locale } = context;
  const words = cutLearningQueryWords(query.get('words') ?? '').slice(0, MAX_LABEL);
  const q = cutLearningQueryWords(query.get('q') ?? '') || words;
  return showSynonymForm(context, deps, fillForm({ words, q, lang: query.get('lang') ?? locale }));
}

async function addSynonym(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { imports, languages } = deps;
  const { form, t, actor, locale } = context;
  const read = readForm(form, { schema: synonymForm, t });
  if ('state' in read) return showSynonymForm(context, deps, read.state, 422);
  const { words, lang, q, concept } = read.data;
  const match = (await findConcepts(deps, q, locale)).find((result) => result.concept === concept);
  if (match === undefined) {
    const problems = { concept: t('problems.chooseConcept') };
    return showSynonymForm(context, deps, { ...fillForm({ words, lang, q }), problems }, 422);
  }
  try {
    const source = createSynonymSource({
      words,
      lang,
      concept,
      label: `${match.label} (${match.source})`,
    });
    const { id } = await imports.start(actor, source);
    return makeRedirect(`/imports/${id}`, 'synonym-added');
  } catch (error) {
    return showSynonymForm(context, deps, refuseForm(error, { form, t, languages }), 422);
  }
}
