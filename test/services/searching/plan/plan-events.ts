import type { PlanEvent } from '../../../../src/services/searching/plan/plan.ts';
import type { PlanRequest } from '../../../../src/services/searching/plan/plan-skills.ts';
import { searchFor } from '../../../adapters/local/services.ts';

/** An English syllabus. */
export const ENGLISH = `Introduction to data science. Students learn to program in Python, to query databases with SQL
and to clean data sets. The second half of the course is about machine learning, statistics and data visualisation.
They present their results to an audience, so public speaking is practised as well.`;
/** A French job. */
export const FRENCH = `Le boulanger prépare la pâte, façonne le pain et contrôle la cuisson. Il respecte les règles d'hygiène
alimentaire, gère les stocks et accueille la clientèle. La comptabilité de la boutique fait partie de son travail.`;

const { keywords, page, max, ...rest } = searchFor('');
/** Searches for anything. */
export const anything: PlanRequest['query'] = rest;

export const requestFor = (text: string, changes: Partial<PlanRequest> = {}): PlanRequest => ({
  text,
  query: anything,
  maxSkills: 5,
  perSkill: 3,
  ...changes,
});

export async function readAll(events: AsyncIterable<PlanEvent>): Promise<PlanEvent[]> {
  const all: PlanEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export const skillsOf = (events: readonly PlanEvent[]) =>
  events.flatMap((event) => (event.kind === 'skills' ? event.skills : []));
export const itemsOf = (events: readonly PlanEvent[]) =>
  events.flatMap((event) => (event.kind === 'objects' ? event.items : []));

/** How each skill ended. */
export const endsOf = (events: readonly PlanEvent[]) =>
  events.flatMap((event) => {
    if (event.kind === 'objects') return [[event.skill, event.items.length]];
    return event.kind === 'failed' ? [[event.skill, event.code]] : [];
  });
