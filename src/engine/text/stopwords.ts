/** Folded function words, which say nothing about a topic. The lists are short on purpose: `it`,
 *  `can`, `will`, `go`, `ai`, `r` and `c` are also names (IT support, CAN bus, Go, R, C). */
const STOPWORDS = parseWordLists({
  en: 'a an and are as at be been but by do does for from had has have how i if in into is me my of on or our so that the their then there these they this to us was we were what when where which who why with you your',
  fr: 'a au aux avec ce ces cet cette comment dans de des du elle elles en est et eux il ils je la le les leur leurs lui ma mais me mes mon ne nos notre nous on ou par pas pour qu que quel quelle qui sa se ses son sont sur ta te tes toi ton tu un une vos votre vous y',
  es: 'a al como con cual de del donde el ella ellos en es esta este esto ha la las lo los me mi mis muy no nos o para pero por que se si sin sobre son su sus te tu un una uno y yo',
  de: 'als am an auf aus bei bin das dass dein dem den der des die du ein eine einem einen einer eines er es fur hat ich ihr im in ist ja man mein mit nach nicht oder sich sie sind so uber um und uns vom von vor was wie wir zu zum zur aber auch dann da damit denn diese diesem diesen dieser dieses doch durch etwas euch ihm ihn ihnen ihre ihrem ihren ihrer jede jedem jeden jeder jedes kann kein keine keinen keiner meine meinem meinen meiner mich mir noch nur ohne schon sehr sein seine seinem seinen seiner unser unsere unserem unseren unserer welche welchem welchen welcher welches wenn wird zwischen gibt haben hab habe',
  it: 'a ai al alla alle anche che chi come con da dal dalla dei del della delle di e ed gli ha i il in io la le lo ma mi nei nel nella non o per piu se si sono su sul sulla tra un una uno',
  pt: 'a ao aos as com como da das de do dos e ela ele em entre essa esse esta este eu foi ha isso isto ja mais mas me meu minha na nas no nos nao o os ou para pela pelo por que se sem seu sua um uma',
  nl: 'aan als bij dan dat de den der deze die dit een en er haar had heb heeft het hij hoe ik in is je kan maar me met mijn na naar niet nog of om onder ons op te tot uit van voor was wat we wie wij zal ze zich zij zo',
});

const ANY_LANGUAGE: ReadonlySet<string> = new Set([...STOPWORDS.values()].flatMap((set) => [...set]));

/** Tells whether a word is a stopword of a language; without a language, of English or French. A
 *  language without a list has the stopwords of all languages. */
export function isStopword(word: string, lang?: string): boolean {
  if (lang === undefined) return isStopwordOf(word, 'en') || isStopwordOf(word, 'fr');
  return stopwordsOf(lang).has(word);
}

/** Returns the stopwords of a language, or of all languages if it has no list. */
export const stopwordsOf = (lang: string): ReadonlySet<string> => STOPWORDS.get(lang) ?? ANY_LANGUAGE;

export const isStopwordOfAnyLanguage = (word: string): boolean => ANY_LANGUAGE.has(word);

export const stopwordLanguages: readonly string[] = [...STOPWORDS.keys()];

/** Tells whether a word is a stopword of a language; a language without a list has none. */
export const isStopwordOf = (word: string, lang: string): boolean => STOPWORDS.get(lang)?.has(word) === true;

/** Splits lists of words, by language, at their spaces. The result is a map, as callers may pass
 *  any text as a language, and objects have a `constructor`. */
export function parseWordLists(lists: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(Object.entries(lists).map(([lang, list]) => [lang, new Set(list.split(' '))]));
}
