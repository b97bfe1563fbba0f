import { fillWords, type Words } from '../dom.ts';
import type { TrayItem } from './tray-items.ts';

const lang = document.documentElement.lang;
const plurals = new Intl.PluralRules(lang);

/** Fills the singular or the plural text of the page: `points1`, `points2`. */
export function fillTrayCount(words: Words, name: string, number: number): string {
  const text = words[`${name}${plurals.select(number) === 'one' ? 1 : 2}`];
  return fillWords(text, { number: number.toLocaleString(lang) });
}

/** Writes "3 resources · 30 points · 52 h" without unknown values; empty for an empty selection. */
export function writeTrayTotal(items: readonly TrayItem[], words: Words): string {
  if (items.length === 0) return '';
  const points = items.reduce((sum, item) => sum + Number(item.points ?? 0), 0);
  const parts = [
    fillTrayCount(words, 'resources', items.length),
    points > 0 ? fillTrayCount(words, 'points', points) : '',
    writeTrayTime(items, words),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

const HOUR = 60;
/** Numbers of hours are whole from here on. */
const MANY = 10;

function writeTrayTime(items: readonly TrayItem[], words: Words): string {
  const durations = items.flatMap(({ minutes }) => minutes ?? []);
  if (durations.length === 0) return '';
  const minutes = durations.reduce((sum, duration) => sum + duration, 0);
  const isLong = minutes >= HOUR;
  const number = isLong ? minutes / HOUR : minutes;
  const isWhole = durations.length === items.length;
  const maximumFractionDigits = number < MANY && isLong ? 1 : 0;
  // "At least 3 hours" must not be rounded up.
  const format = { maximumFractionDigits, roundingMode: isWhole ? 'halfExpand' : 'floor' } as const;
  const text = fillWords(isLong ? words.hours : words.minutes, { number: number.toLocaleString(lang, format) });
  // A line must not break between the number and its unit.
  const time = text.replaceAll(' ', '\u00a0');
  return isWhole ? time : fillWords(words.atLeast, { time });
}
