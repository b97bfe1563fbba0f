import type { ToolOutput } from '#contract/index';
import { toForeignText } from '#domain/text';
import { listCorrections } from '#services/searching/discovery/skills';
import type { Tool } from './tool.ts';

const MAX_LABEL_LENGTH = 120;
const MAX_EVIDENCE_LENGTH = 120;
const MAX_CORRECTIONS = 5;

export const findSkills: Tool<'find_skills'> = async (context, { keywords, lang, max }) => {
  const { deps, tenant, locale, t, signal } = context;
  const result = await deps
    .discoveryOf(tenant.id)
    .findSkills({ keywords, prefer: locale, max, ...(lang !== undefined && { lang }) }, { signal });
  const skills = result.groups.flatMap(({ terms }) => terms).sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  const corrections = listCorrections(result.suggestions, keywords).slice(0, MAX_CORRECTIONS);
  const summary = t(skills.length > 0 ? 'assistantTools.skills' : 'assistantTools.noSkills', {
    count: skills.length,
    words: toForeignText(keywords, MAX_LABEL_LENGTH),
  });
  const data = {
    lang: result.lang,
    skills: skills.map(({ label, source, score, concept }) => ({
      label: toForeignText(label, MAX_LABEL_LENGTH),
      taxonomy: toForeignText(source, MAX_LABEL_LENGTH),
      ...(concept !== undefined && { uri: concept }),
      ...(score !== undefined && { score: Math.round(score * 1_000) / 1_000 }),
    })),
    ...(corrections.length > 0 && {
      did_you_mean: corrections.map(({ label }) => toForeignText(label, MAX_LABEL_LENGTH)),
    }),
    ...(skills.length === 0 && { notices: [summary] }),
  };
  return {
    data,
    summary,
    short: (answer) => answer.skills.map(({ label, taxonomy, uri }) => ({ label, taxonomy, uri })),
  };
};

export const tagText: Tool<'tag_text'> = async (context, { text, lang, max }) => {
  const { deps, tenant, t, signal } = context;
  const result = await deps.discoveryOf(tenant.id).tagText(text, lang, { signal, spans: true, max });
  const skills = result.tags.map((label, index) => {
    const [span, concept] = [result.spans?.[index], result.concepts?.[index]];
    return {
      label: toForeignText(label, MAX_LABEL_LENGTH),
      ...(concept && { uri: concept.uri, taxonomy: toForeignText(concept.taxonomy, MAX_LABEL_LENGTH) }),
      ...(span && {
        evidence: { start: span[0], end: span[1], words: toForeignText(text.slice(...span), MAX_EVIDENCE_LENGTH) },
      }),
    };
  });
  const summary = t(skills.length > 0 ? 'assistantTools.tags' : 'assistantTools.noTags', {
    count: skills.length,
  });
  const data: ToolOutput<'tag_text'> = {
    lang: result.lang,
    skills,
    ...(skills.length === 0 && { notices: [summary] }),
  };
  return {
    data,
    summary,
    short: (answer) => answer.skills.map(({ label, evidence }) => ({ label, words: evidence?.words })),
  };
};
