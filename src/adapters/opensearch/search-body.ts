import type { PlanElsewhere } from '../../engine/objects/search/elsewhere.ts';
import type { Body } from './body-parts.ts';
import type { Query } from './filters.ts';
import { writeAlikeBody, writeBrowseBody, writeListBody } from './wordless-bodies.ts';
import { writeWordsBody } from './words-body.ts';

export interface SearchBody extends Body {
  /** Scripts that sort read scores, and these are worked out only then. */
  readonly track_scores: boolean;
}

/** @param selected documents that a tenant has, and nobody changed */
export function writeSearchBody(plan: PlanElsewhere, selected: readonly Query[]): SearchBody {
  return { ...writeBody(plan, selected), track_scores: plan.kind !== 'list' };
}

function writeBody(plan: PlanElsewhere, selected: readonly Query[]): Body {
  switch (plan.kind) {
    case 'words':
      return writeWordsBody(plan, selected);
    case 'browse':
      return writeBrowseBody(plan.query, selected);
    case 'alike':
      return writeAlikeBody(plan, selected);
    case 'list':
      return writeListBody(plan.request, selected);
  }
}
