import type { ToolOutput } from '#contract/index';
import { toForeignText } from '#domain/text';
import { listCorrections } from '#services/searching/discovery/skills';
import type { Tool, ToolContext } from './tool.ts';

const MAX_LABEL = 120;
const MAX_EVIDENCE = 120;
const MAX_SUGGESTED = 5;

export const findSkills: Tool<'find_skills'> = async (context, { keywords, lang, max }) => {
  const { deps, tenant, locale, t, signal } = context;
  const found = await deps
    .discoveryOf(tenant.id)
    .findSkills({ keywords, prefer: locale, max, ...(lang !== undefined && { lang }) }, { signal });
  const skills = found.groups.flatMap(({ terms }) => terms).sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  const meant = listCorrections(found.suggestions, keywords).slice(0, MAX_SUGGESTED);
  const said = { count: skills.length, words: toForeignText(keywords, MAX_LABEL) };
  const summary = skills.length > 0 ? t('assistantTools.skills', said) : t('assistantTools.noSkills', said);
  const data = {
    lang: found.lang,
    skills: skills.map(({ label, source, score, concept }) => ({
      label: toForeignText(label, MAX_LABEL),
      taxonomy: toForeignText(source, MAX_LABEL),
      ...(concept !== undefined && { uri: concept }),
      ...(score !== undefined && { score: Math.round(score * 1_000) / 1_000 }),
    })),
    ...(meant.length > 0 && { did_you_mean: meant.map(({ label }) => toForeignText(label, MAX_LABEL)) }),
    ...(skills.length === 0 && { notices: [summary] }),
  };
  return {
    ...{ data, summary },
    short: (said) => said.skills.map(({ label, taxonomy, uri }) => ({ label, taxonomy, uri })),
  };
};

export const tagText: Tool<'tag_text'> = async (context, { text, lang, max }) => {
  const { deps, tenant, t, signal } = context;
  const found = await deps.discoveryOf(tenant.id).tagText(text, lang, { signal, spans: true, max });
  const skills = found.tags.map((label, place) => {
    const span = found.spans?.[place];
    return {
      label: toForeignText(label, MAX_LABEL),
      ...nameConcept(context, found.concepts?.[place]),
      ...(span && {
        evidence: { start: span[0], end: span[1], words: toForeignText(text.slice(...span), MAX_EVIDENCE) },
      }),
    };
  });
  const summary = t(skills.length > 0 ? 'assistantTools.tags' : 'assistantTools.noTags', {
    count: skills.length,
  });
  const data: ToolOutput<'tag_text'> = {
    lang: found.lang,
    skills,
    ...(skills.length === 0 && { notices: [summary] }),
  };
  return {
    ...{ data, summary },
    short: (said) => said.skills.map(({ label, evidence }) => ({ label, words: evidence?.words })),
  };
};

function nameConcept({ deps }: ToolContext, id: string | undefined): { uri?: string; taxonomy?: string } {
  const concept = id === undefined ? null : deps.concepts.findConcept(id);
  return concept === null ? {} : { uri: concept.id, taxonomy: toForeignText(concept.source, MAX_LABEL) };
}
