import { z } from 'zod';
import { cutLearningQueryWords, MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { cleanText } from '#domain/text';
import type { Languages } from '#faces/words/i18n';
import { findLanguageName } from '#faces/words/language-names';
import type { Term } from '#ports/learning-service';
import { createSynonymSource } from '#services/searching/synonyms';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, fillForm, readForm, refuseForm } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';

const MAX_LABEL = 100;
const MAX_FOUND = 12;

interface FoundConcept extends Term {
  readonly concept: string;
}

const synonymForm = z.object({
  words: z.string().transform(cleanText).pipe(z.string().min(1, 'required').max(MAX_LABEL, 'tooLong')),
  lang: z.string().regex(/^[a-z]{2}$/, 'required'),
  /** What the concept was searched by. */
  q: z.string().transform(cutLearningQueryWords),
  concept: z.string('chooseConcept').min(1, 'chooseConcept'),
});

/** Says what words mean that people use and the taxonomies do not have. The taxonomies are the
 *  whole host's, so this is for owners. */
export function synonymRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const { local, imports } = deps;

  async function findConcepts(q: string, lang: string): Promise<readonly FoundConcept[]> {
    if (q === '') return [];
    const found = await local.ask('similar', { keywords: q, lang, max: MAX_FOUND });
    const concepts = new Map<string, FoundConcept>();
    for (const term of found) {
      const { concept } = term;
      // Each once, under the label that fits best: the engine gives several of one concept.
      if (concept !== undefined && !concepts.has(concept)) concepts.set(concept, { ...term, concept });
    }
    return [...concepts.values()];
  }

  async function show({ locale }: SignedInContext, form: FormState, status = 200): Promise<Reply> {
    const listed = await local.ask('listLanguages', {});
    const names = listed.map(({ value }) => ({ code: value, name: findLanguageName(value, locale) }));
    return makePage(
      'insight-synonym',
      {
        form,
        found: await findConcepts(form.values.q ?? '', locale),
        choices: names.sort((a, b) => a.name.localeCompare(b.name, locale)),
        ...{ maxLabel: MAX_LABEL, maxWords: MAX_WORDS_LENGTH },
      },
      { status },
    );
  }

  async function ask(context: SignedInContext): Promise<Reply> {
    const { query, locale } = context;
    const words = cutLearningQueryWords(query.get('words') ?? '').slice(0, MAX_LABEL);
    const q = cutLearningQueryWords(query.get('q') ?? '') || words;
    return show(context, fillForm({ words, q, lang: query.get('lang') ?? locale }));
  }

  async function add(context: SignedInContext): Promise<Reply> {
    const { form, t, actor, locale } = context;
    const read = readForm(form, { schema: synonymForm, t });
    if ('state' in read) return show(context, read.state, 422);
    const { words, lang, q, concept } = read.data;
    const meant = (await findConcepts(q, locale)).find((found) => found.concept === concept);
    if (meant === undefined) {
      const problems = { concept: t('problems.chooseConcept') };
      return show(context, { ...fillForm({ words, lang, q }), problems }, 422);
    }
    try {
      const source = createSynonymSource({
        ...{ words, lang, concept },
        label: `${meant.label} (${meant.source})`,
      });
      const { id } = await imports.start(actor, source);
      return makeRedirect(`/imports/${id}`, 'synonym-added');
    } catch (error) {
      return show(context, refuseForm(error, { form, t, languages }), 422);
    }
  }

  const path = '/insight/synonym';
  return [
    { method: 'get', path, access: 'owner', handle: ask },
    { method: 'post', path, access: 'owner', handle: add },
  ];
}
