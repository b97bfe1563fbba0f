const DURATION =
  /^\s*P(?:([\d.,]+)Y)?(?:([\d.,]+)M)?(?:([\d.,]+)W)?(?:([\d.,]+)D)?(?:T(?:([\d.,]+)H)?(?:([\d.,]+)M)?(?:([\d.,]+)S)?)?\s*$/i;
/** Minutes of work in the units of DURATION, in their order: a year, a month, a week, a day
 *  (of study), an hour, a minute, a second. */
const ISO_UNITS = [2_000 * 60, 160 * 60, 40 * 60, 8 * 60, 60, 1, 1 / 60];

/** Minutes of an ISO 8601 duration. Undefined for any other text, and for no time at all.
 *  @example readIsoMinutes('PT1H30M') // 90 */
export function readIsoMinutes(text: string): number | undefined {
  const match = DURATION.exec(text.slice(0, 60));
  if (match === null) return undefined;
  const minutes = ISO_UNITS.reduce((sum, unit, i) => sum + toNumber(match[i + 1] ?? '0') * unit, 0);
  return minutes > 0 ? minutes : undefined;
}

const CLOCK = /^(\d{1,3}):([0-5]\d)(?::[0-5]\d)?$/;
const NUMBER = String.raw`\d+(?:[.,]\d+)?`;
const AMOUNT = new RegExp(String.raw`(${NUMBER})(?:\s*(?:-|–|—|to|à|a|bis)\s*(${NUMBER}))?\s*\+?\s*([a-z]*)\.?`, 'gi');
const FILLERS =
  /\b(?:about|approx(?:imately)?|around|ca|circa|env(?:iron)?|ungefahr|etwa|total|of|de|d'|and|et|und|to complete|on-demand|video|content|long|up to|self-?paced|rund|circa|unas|unos|less than|under|moins de|weniger als|menos de|dauer|duree|duracion|duration|insgesamt)(?![a-z])\.?|(?<=[a-z.] )[ye](?= \d)/gi;
const WEEKS = '(?:weeks?|wks?|semaines?|wochen?|semanas?|settimane|months?|mois|monate?|mes(?:es)?)';
const A_WEEK = String.raw`\s*(?:\/|per|a|each|par|pro|por)\s*(?:week|wk|semaine|woche|semana)\b\)?`;
const EACH_WEEK = new RegExp(String.raw`^(.*?${WEEKS})[\s,;:(x×@–-]+(?:at |of |a )?(.+?)${A_WEEK}\s*$`, 'i');
const EACH_WEEK_FIRST = new RegExp(
  String.raw`^(.+?)${A_WEEK}[\s,;:(x×@–-]+(?:for |pendant |durante )?(.*?${WEEKS})\)?$`,
  'i',
);
/** Repetitions: `3 x 45 min`, `4 Wochen à 2 Stunden`. */
const TIMES = /^(\d{1,3})\s*(?:[x×]|(?:semaines?|wochen?|jours?|tagen?|tage)\s+(?:a|x|×|zu je|de))\s*(\d.*)$/i;

/** Minutes of work by unit name. A week is 40 hours, as in ISO 8601 durations. */
const units: ReadonlyMap<string, number> = new Map(
  Object.entries({
    'ms millisecond milliseconds': 1 / 60_000,
    's sec secs second seconds seconde secondes sekunde sekunden': 1 / 60,
    'm mn min mins minute minutes minuten minuto minutos minuti minuut': 1,
    'ue unterrichtsstunde unterrichtsstunden unterrichtseinheit unterrichtseinheiten lektion lektionen': 45,
    'demijournee demijournees': 4 * 60,
    'h hr hrs hour hours heure heures std stunde stunden hora horas ora ore uur uren': 60,
    'd day days j jour jours tag tage tagen dia dias journee journees giorno giorni dag dagen': 8 * 60,
    'w wk wks week weeks semaine semaines sem woche wochen semana semanas settimana settimane weken': 40 * 60,
    'mo mos month months mois monat monate monaten mes meses mese mesi maand maanden': 160 * 60,
    'y yr yrs year years an ans annee annees jahr jahre ano anos': 2_000 * 60,
  }).flatMap(([names, minutes]) => names.split(' ').map((name) => [name, minutes] as const)),
);

/** Minutes of a unit in several languages. Undefined for other words. @param unit in lower case */
export const readUnitMinutes = (unit: string): number | undefined => units.get(unit);

/** Minutes of a duration: `1 h 30`, `90 min`, `approx. 20 hours`, `1-3 months` (its middle), `6
 *  weeks, 3 hours per week`, `PT1H30M`, `1:30` (hours and minutes), `2 days` (of eight hours). A
 *  number alone is minutes. Null for anything else. */
export function readMinutes(written: string): number | null {
  const iso = readIsoMinutes(written);
  if (iso !== undefined) return iso;
  const text = plainWords(written)
    .replace(/demi[- ]journee/, 'demijournee')
    .replace(/(?:\b1\/2|½)/, '0.5')
    .replace(/^(?:(?:half an?|halbe[rns]?|demi|medi[ao])[- ]?)(?=[a-z])/, '0.5 ')
    .replace(/^(?:une?|eine?|an?|una) (?=[a-z])/, '1 ');
  const [, times, once] = TIMES.exec(text) ?? [];
  if (times !== undefined && once !== undefined) return positive(Number(times) * (sumQuantities(once) ?? 0));
  const clock = CLOCK.exec(text);
  if (clock !== null) return positive(Number(clock[1]) * 60 + Number(clock[2]));
  const [, hours, weeks] = EACH_WEEK_FIRST.exec(text) ?? [];
  const [, span = weeks, each = hours] = EACH_WEEK.exec(text) ?? [];
  if (span === undefined || each === undefined) return positive(sumQuantities(text));
  const total = sumQuantities(span);
  const weekly = sumQuantities(each);
  return total === null || weekly === null ? null : positive((total / (40 * 60)) * weekly);
}

function sumQuantities(written: string): number | null {
  let minutes = 0;
  let afterHours = false;
  const text = written.replace(FILLERS, ' ').replace(/(?<=\d)\s*['′]/g, ' min ');
  // With anything else between numbers and units it is a sentence.
  if (text.replace(AMOUNT, '').replace(/[\s.,~≈<()+:;–-]/g, '') !== '') return null;
  for (const [, from = '', to, unit = ''] of text.matchAll(AMOUNT)) {
    const factor = unit === '' ? 1 : units.get(unit);
    if (factor === undefined) return null;
    // `2 90`: a second number without a unit is minutes only after hours.
    if (unit === '' && minutes > 0 && !afterHours) return null;
    afterHours = factor === 60;
    const parseNumber = factor <= 1 ? readLargeNumber : toNumber;
    minutes += (to === undefined ? parseNumber(from) : (parseNumber(from) + parseNumber(to)) / 2) * factor;
  }
  return minutes;
}

/** A number of minutes has thousands, not thousandths: `1.200`. */
const readLargeNumber = (text: string): number =>
  toNumber(/^[1-9]\d{0,2}[.,]\d{3}$/.test(text) ? text.replace(/[.,]/, '') : text);

const toNumber = (text: string): number => Number(text.replace(',', '.'));

const positive = (minutes: number | null): number | null => (minutes !== null && minutes > 0 ? minutes : null);

const MAX_WORDS = 200;

/** The beginning of a text in lower case and without accents. */
export const plainWords = (text: string): string =>
  text.slice(0, MAX_WORDS).trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const levels: readonly (readonly [words: RegExp, level: number | null])[] = [
  [/\b(?:all|any|every|mixed|tous|toutes|tout|alle|todos|n\/a|not calibrated|various|general)\b/, null],
  [
    /\b(?:beginn\w*|intro\w*|elementary|elementaire|novice|basics?|base|foundation\w*|fundamentals?|easy|starter|entry|debutante?s?|initiation|facile|anfanger\w*|einsteiger\w*|grundlagen|grundkurs|grundstufe|leicht|einfach|principiante|iniciante|inicia[ct]i?on|basico|basis|ohne vorkenntnisse|(?:aucun|sans|no) pre-?requi\w*|a1|a2|undergraduate lower)\b/,
    -1,
  ],
  [
    /\b(?:intermed\w*|medium|moderate|conversant|moyen(?:ne)?|confirmes?|fortgeschritten\w*|mittel\w*|aufbaukurs|b1|b2)\b/,
    0,
  ],
  [
    /\b(?:advanc\w*|experts?|experte?\w*|hard|difficult|difficile|avancee?s?|perfectionnement|perfeccionamiento|experimentee?s?|profi|schwer|schwierig|avanzad[oa]|avanzato|avancado|gevorderd\w*|c1|c2)\b/,
    1,
  ],
];

/** The level that words name, from -1 (beginner) to 1 (advanced). Null for several levels or all of
 *  them, undefined for other words. @example readLevel('débutant') // -1 */
export function readLevel(text: string): number | null | undefined {
  const words = plainWords(text);
  const number = /^(?:level|niveau|nivel|livello|stufe) ([1-3])$/.exec(words)?.[1];
  if (number !== undefined) return Number(number) - 2;
  const matches = levels.filter(([pattern]) => pattern.test(words)).map(([, level]) => level);
  return matches.length > 1 ? null : matches[0];
}

const freeWords =
  /^(?:yes|y|true|free|oui|vrai|gratuite?s?|ja|wahr|kostenlos|kostenfrei|gratis|gratuit[oa]s?|si|x|✓|✔|☑|verdadero|vero|offert|(?:ohne|sans|sin|non?) (?:kosten|frais|cost[eo]|payant)|audit for free|no (?:cost|charge|fee)|free of charge|open)(?![\p{L}\d])(?! trial|mium| with (?:an? )?(?:subscription|membership))/u;
const paidWords =
  /^(?:no|n(?!\/)|false|non|faux|nein|falsch|paid|payante?s?|kostenpflichtig|not free|pas gratuit|non gratuit|de pago|a pagamento|free (?:trial|with)|falso|kein)\b/;
/** The part of `paidWords` that are prices, and not only a no. */
const paidPrice =
  /^(?:paid|payante?s?|kostenpflichtig|not free|pas gratuit|non gratuit|de pago|a pagamento|free (?:trial|with))\b/;

/** Whether something is free, from a yes or no, or a price. Undefined for other words.
 *  @example readIsFree('FREE – certificate for $49') // true */
export function readIsFree(text: string): boolean | undefined {
  const words = plainWords(text);
  if (words === '1' || words === '0') return words === '1';
  if (freeWords.test(words)) return true;
  return paidWords.test(words) ? false : readPriceIsFree(words);
}

/** Like `readIsFree`, but 0 and 1 are amounts, and a plain no says nothing. */
export function readPriceIsFree(text: string): boolean | undefined {
  const words = plainWords(text);
  if (freeWords.test(words)) return true;
  if (paidPrice.test(words)) return false;
  const isPrice =
    /^(?:from |ab |des |desde |a partir de |only )?[\p{Sc}a-z.]{0,4}\s*\d[\d\s'.,]*(?:[-–]\s*[\p{Sc}\d\s'.,]+)?\s*(?:\p{Sc}|[a-z]{3,7})?(?:\b.*)?$/u;
  return isPrice.test(words) ? !/^[^\d]*[\d\s'.,]*[1-9]/.test(words) : undefined;
}

/** Ages in years, inclusive; an absent end is open. */
type Ages = { readonly min?: number | undefined; readonly max?: number | undefined };

/** Ages from texts such as `12-14`, `7-`, `U-12`, `ages 12 to 14`, `16+`. Undefined for `adult`.
 *  @example readAges('12-14') // { min: 12, max: 14 } */
export function readAges(text: string | undefined): Ages | undefined {
  const words = plainWords(text ?? '')
    .replace(/\b(?:ages?|aged|from|de|von|ab|alter)\b/g, '')
    .trim();
  const range =
    /^\D{0,3}(\d{1,3})\s*(?:ans|years?|jahre?)?\s*(-|–|\+|to|a|bis|et plus|and (?:up|over)|$)\s*(\d{1,3})?/.exec(words);
  if (/^u\s*-/.test(words)) return { max: Number(range?.[1]) };
  if (range === null) return undefined;
  const [, min, sign, max] = range;
  if (max !== undefined) return { min: Number(min), max: Number(max) };
  return sign === '' ? { min: Number(min), max: Number(min) } : { min: Number(min) };
}
