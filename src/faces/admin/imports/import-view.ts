import type { Translate } from '#faces/words/i18n';
import type { ImportRecord } from '#ports/store/store';
import {
  findReasonForNoRecords,
  findShownImportState,
  type ShownState,
} from '#services/catalogue/imports/import-records';

/** How far an import is, as the page and its script show it. */
export interface ImportView {
  readonly isRunning: boolean;
  /** 0 to 100; null where nobody knows how much there is. */
  readonly percent: number | null;
  readonly text: string;
}

interface ViewOptions {
  readonly t: Translate;
  readonly locale: string;
  readonly now: Date;
  /** Other imports are read first. */
  readonly isWaiting: boolean;
}

export function viewImport(record: ImportRecord, { t, locale, now, isWaiting }: ViewOptions): ImportView {
  const { done, total, counts } = record;
  const percent = total === null || total === 0 ? null : Math.min(100, Math.floor((100 * done) / total));
  const rows = counts.rows.toLocaleString(locale);
  const values = { rows, count: counts.rows, percent: percent ?? 0 };
  return {
    isRunning: findShownImportState(record, now) === 'running',
    percent,
    text: isWaiting
      ? t('imports.waits')
      : t(percent === null ? 'imports.readSoFar' : 'imports.readOf', values),
  };
}

/** How a state is drawn. */
const markOfState: Readonly<Record<ShownState, string>> = {
  running: 'due',
  checked: 'due',
  live: 'on',
  unchanged: '',
  stopped: 'due',
  failed: 'off',
  undone: '',
  replaced: '',
  brokenOff: 'off',
};

/** For pages that show imports: the state of each, its mark, and the name of the text that says what it means. */
export function describeImportStates(now: Date) {
  const stateOf = (record: ImportRecord): ShownState => findShownImportState(record, now);
  return {
    stateOf,
    meaningOf: (record: ImportRecord) => findReasonForNoRecords(record) ?? stateOf(record),
    markOfState,
  };
}
