import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LearningObjectRecord } from '../../src/adapters/catalog/catalog-schema.ts';
import { toLearningMinutes } from '../../src/domain/learning-object.ts';
import { required } from '../required.ts';
import type { Grades, Need, NeedRanker } from './needs.ts';

const DEPTH = 10;

/** Pairs of a need and an object that have no grade yet, in an order that tells nothing of who
 *  found them, at which place. A file for each need, with what a person would see of the objects.
 *  @returns how many there are */
export async function writePool(
  folder: string,
  {
    needs,
    grades,
    objects,
    rankers,
  }: {
    readonly needs: readonly Need[];
    readonly grades: Grades;
    readonly objects: readonly LearningObjectRecord[];
    readonly rankers: readonly NeedRanker[];
  },
): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const numbered = new Map(objects.map((object, number) => [object.url, { object, number }]));
  let pairs = 0;
  for (const need of needs) {
    const found = await Promise.all(rankers.map((rank) => rank(need)));
    const urls = new Set(found.flatMap((ranked) => ranked.slice(0, DEPTH)));
    const own = grades.get(need.id);
    const open = [...urls].filter((url) => own?.has(url) !== true);
    if (open.length === 0) continue;
    pairs += open.length;
    const lines = open
      .map((url) => required(numbered.get(url), url))
      // By title: no ranking has that order.
      .toSorted((a, b) => a.object.title.localeCompare(b.object.title))
      .map(({ object, number }) => `${number} | ${describe(object)}`);
    writeFileSync(join(folder, `${need.id}.txt`), `${need.query}\n${need.need}\n${lines.join('\n')}\n`);
  }
  return pairs;
}

function describe({ lang, title, type, level, learningTime, free, provider, description }: LearningObjectRecord) {
  const minutes = toLearningMinutes(learningTime);
  const facts = [
    lang,
    type.join('+'),
    level === undefined ? '' : `level ${level}`,
    minutes === undefined ? '' : `${minutes} min`,
    free === undefined ? '' : free ? 'free' : 'paid',
    provider,
  ];
  return `${title} | ${facts.filter((fact) => fact !== '').join(', ')} | ${description}`;
}
