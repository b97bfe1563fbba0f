import { expect, test } from 'vitest';
import type { PlanItem, PlanSection } from '../../../src/domain/plan.ts';
import { writeCartridge } from '../../../src/faces/plan-view/cartridge.ts';
import { plan } from '../../contract/store/plans.ts';
import { awkwardText } from '../../contract/store/records.ts';
import { bareObject } from '../../fakes/learning-service.ts';
import { readCartridge } from './read-cartridge.ts';

const item = (id: string, title: string): PlanItem => ({
  id,
  object: { ...bareObject, title, url: `https://example.org/${id}?a=1&b="2"` },
  requestId: null,
  skill: null,
  note: `Note on ${title}`,
  isGraded: false,
  replaced: [],
});
const section = (id: string, title: string, items: readonly PlanItem[]): PlanSection => ({
  id,
  title,
  text: '',
  hours: null,
  items,
  uncovered: [],
});
const sections = [
  section('-s', 'Week 1', [item('-b', 'Étude & <joins>'), item('0a', awkwardText)]),
  section('_t', 'Week 2', []),
  section('u', 'Week 3', [item('c', 'Again\nand again')]),
];

test.each(['1.3', '1.1'] as const)(
  'a cartridge of version %s lists the sections and objects in order',
  async (version) => {
    const read = await readCartridge(
      writeCartridge(plan('p', { name: 'SQL', sections }), version, ({ note }) => note),
      version,
    );
    const toLine = (text: string) => text.replace(/\s+/g, ' ').trim();
    expect(read).toEqual(
      sections.map(({ title, items }) => ({
        title,
        links: items.map(({ object, note }) => ({ title: toLine(object.title), url: object.url, description: note })),
      })),
    );
  },
);
