import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import type { ErrorCode } from '../../errors.ts';
import type { FoundObject } from './results.ts';

export interface PlanRequest {
  /** At most 20,000 characters. */
  readonly text: string;
  /** Two-letter code of the text; found out when absent. */
  readonly lang?: string;
  /** Two-letter code of the searches where the text is too short to tell its own. */
  readonly usualLang?: string;
  /** The searches of the plan but for their keywords and paging. Without `lang`, they are in that of the text; our own engine,
   *  which can search in any language, is asked so only where `match` lets the language yield. */
  readonly query: Omit<LearningObjectQuery, 'keywords' | 'page' | 'max'>;
  /** 1 to 30. */
  readonly maxSkills: number;
  /** Learning objects for each skill, 1 to 10. */
  readonly perSkill: number;
}

export interface PlannedSkill {
  readonly label: string;
  /** 0 to 1: how much of the text it stands for, the first one having 1. */
  readonly weight: number;
}

/** `skills` first, once; then one `objects` or `failed` for each skill as its search ends; `done` last. */
export type PlanEvent =
  | {
      readonly kind: 'skills';
      /** In the order of weight. */
      readonly skills: readonly PlannedSkill[];
      readonly lang: string;
      readonly isLangDetected: boolean;
    }
  | {
      readonly kind: 'objects';
      readonly skill: string;
      /** Best first; none of them is in another event of the plan. */
      readonly items: readonly FoundObject[];
    }
  | { readonly kind: 'failed'; readonly skill: string; readonly code: ErrorCode }
  | { readonly kind: 'done' };
