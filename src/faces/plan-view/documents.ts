import { toLearningMinutes } from '#domain/learning-object';
import type { PlanContent, PlanItem } from '#domain/plan';
import { AppError } from '#errors';
import { type Download, makeCsvDownload, toCsvColumns } from '../downloads.ts';
import type { ObjectWords } from '../object-view/facts.ts';
import { toObjectView, writeObjectViewLine } from '../object-view/object-view.ts';
import { type CartridgePlan, writeCartridge } from './cartridge.ts';

export const planFormats = ['imscc', 'imscc11', 'md', 'csv'] as const;
type PlanFormat = (typeof planFormats)[number];

export function readPlanFormat(name: string | null): PlanFormat {
  const format = planFormats.find((each) => each === name);
  if (format === undefined) throw new AppError('PATH_UNKNOWN', 'Plans have no such format.');
  return format;
}

export function writePlanFile(plan: CartridgePlan, format: PlanFormat, words: ObjectWords): Download {
  switch (format) {
    case 'imscc':
    case 'imscc11': {
      const describe = (item: PlanItem) => describePlanItem(item, words).join('\n\n');
      const bytes = writeCartridge(plan, format === 'imscc' ? '1.3' : '1.1', describe);
      return toPlanDownload(plan, 'imscc', 'application/vnd.ims.imsccv1p3', bytes);
    }
    case 'md':
      return toPlanDownload(plan, 'md', 'text/markdown; charset=utf-8', writePlanMarkdown(plan, words));
    case 'csv': {
      const rows = plan.sections.flatMap(({ title, items }) => items.map((item) => ({ ...item, section: title })));
      return makeCsvDownload(namePlanFile(plan, 'csv'), listPlanColumns(words), rows);
    }
  }
}

const toPlanDownload = (plan: PlanContent, ending: string, type: string, content: string | Uint8Array): Download => ({
  kind: 'download',
  name: namePlanFile(plan, ending),
  type,
  lines: [content],
});

/** Names a file after its plan, in any script, as the header of the answer encodes it. */
function namePlanFile({ name }: PlanContent, ending: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? ['plan'];
  return `${words.join('-').slice(0, 80)}.${ending}`;
}

function describePlanItem({ object, note, isGraded }: PlanItem, words: ObjectWords): readonly string[] {
  const view = toObjectView(object, words);
  const facts = [writeObjectViewLine(view, words.t), isGraded ? words.t('plans.graded') : ''];
  return [note, object.description ?? '', facts.filter(Boolean).join(' · ')].filter((text) => text !== '');
}

/** Escapes text that has a meaning in Markdown, such as a title, and puts it on one line. */
const escapePlanMarkdown = (text: string) => text.replace(/[\\`*_{}[\]()<>#+|~!-]/g, '\\$&').replace(/\s*\n\s*/g, ' ');

function writePlanMarkdown({ name, expectedHours, sections }: PlanContent, words: ObjectWords): string {
  const { t } = words;
  const parts = [`# ${escapePlanMarkdown(name)}`];
  if (expectedHours !== null) parts.push(t('plans.expected', { hours: expectedHours }));
  for (const { title, text, items, uncovered } of sections) {
    parts.push(`## ${escapePlanMarkdown(title)}`);
    if (text !== '') parts.push(escapePlanMarkdown(text));
    const list = items.map((item, index) => {
      const { title: objectTitle, url } = item.object;
      const lines = describePlanItem(item, words).map((line) => `   ${escapePlanMarkdown(line)}`);
      const link = `[${escapePlanMarkdown(objectTitle)}](<${url.replace(/[<>\s]/g, encodeURIComponent)}>)`;
      return [`${index + 1}. ${link}`, ...lines].join('  \n');
    });
    if (list.length > 0) parts.push(list.join('\n'));
    for (const skill of uncovered) parts.push(t('plans.nothingFor', { skill: escapePlanMarkdown(skill) }));
  }
  return `${parts.join('\n\n')}\n`;
}

type PlanRow = PlanItem & { readonly section: string };

function listPlanColumns({ t }: ObjectWords) {
  return toCsvColumns<PlanRow>((name) => t(`plans.columns.${name}`), {
    section: ({ section }) => section,
    title: ({ object }) => object.title,
    url: ({ object }) => object.url,
    provider: ({ object }) => object.provider ?? null,
    minutes: ({ object }) => toLearningMinutes(object.learningTime) ?? null,
    language: ({ object }) => object.lang ?? null,
    licence: ({ object }) => object.license ?? null,
    free: ({ object: { price } }) => (price === undefined ? null : t(price.free ? 'plans.yes' : 'plans.no')),
    skill: ({ skill }) => skill,
    graded: ({ isGraded }) => t(isGraded ? 'plans.yes' : 'plans.no'),
    note: ({ note }) => note,
  });
}
