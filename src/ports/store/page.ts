/** Which part of a list is wanted. */
export interface PageRequest {
  /** From 0. */
  readonly page: number;
  /** 1 to 100. */
  readonly pageSize: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Of the whole list, not only of this page. */
  readonly total: number;
}

/** Instants from `from` up to but without `until`; null means no limit. */
export interface Period {
  readonly from: Date | null;
  readonly until: Date | null;
}
