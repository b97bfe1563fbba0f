/** Finds the topic of a sentence: `data analysis` in `I want to move into data analysis`. Patterns
 *  match folded text, in which spaces may replace words that were read before. */

import { joinAlternatives } from '../text.ts';

const MATERIAL_WORDS = {
  en: 'course|courses|training|lessons?|class|classes|materials?|resources?|something|anything|support|content|activit(?:y|ies)|lab|labs|module|lecture|introduction|help',
  fr: 'cours|formations?|supports?|ressources?|documents?|activites?|modules?|contenus?|quelque\\s+chose|lecons?|aide|materiel',
  de: 'kurse?|lehrgang|schulung(?:en)?|material(?:ien)?|unterlagen|etwas|hilfe|einfuhrung|unterricht|weiterbildung(?:en)?|fortbildung(?:en)?',
  es: 'cursos?|formacion|materiales|material|recursos?|algo|ayuda|clases?|lecciones|actividad(?:es)?|contenidos?',
} as const;

const MATERIAL = {
  en: {
    before: joinAlternatives('an? some any the good quick short basic online nice new'),
    nouns: MATERIAL_WORDS.en,
    after: joinAlternatives('short quick simple on about in for to of that explains? covering explaining'),
  },
  fr: {
    before: joinAlternatives('une? des du de la courtes? petite? bonne? nouvelle?'),
    nouns: MATERIAL_WORDS.fr,
    after: `pour\\s+(?:mon|ma|mes)\\s+(?:cours|classe|eleves)|pour|de|du|des|d['’]|en|sur|a\\s+propos\\s+d[eu]s?|qui\\s+explique`,
  },
  de: {
    before: joinAlternatives('einen? eine eines gute[ns]? kurze[ns]? neue[ns]?'),
    nouns: MATERIAL_WORDS.de,
    after: joinAlternatives('uber zu zum zur fur in im mit'),
  },
  es: {
    before: joinAlternatives('una? algun[oa]? unos buen[oa]? cort[oa]s?'),
    nouns: MATERIAL_WORDS.es,
    after: joinAlternatives('sobre de del para en que explique a'),
  },
} as const;

/** Writes a pattern for nouns of material (`course`) with words that do not belong to the topic. */
function writeMaterialRequest(lang: keyof typeof MATERIAL): string {
  const { before, nouns, after } = MATERIAL[lang];
  return `(?:\\s+(?:${before}))*(?:\\s+(?:${nouns}))?(?:\\s+(?:${after}))*`;
}

/** Writes a pattern for material with a preposition, as in `is there something about …`. */
const writeMaterialAboutRequest = (lang: keyof typeof MATERIAL) =>
  `${writeMaterialRequest(lang)}\\s+(?:${MATERIAL[lang].after})`;

const FRENCH_VERBS =
  "(?:(?:me|nous|se|m['’])\\s*)?(?:apprendre|apprenne|comprendre|former|forme|remettre|mettre|initier|perfectionner|ameliorer|savoir|connaitre|devenir|decouvrir|suivre|progresser|reconvertir|maitriser|evoluer)(?:\\s+(?:comment|plus|mieux|marche|fonctionne|a|aux?|en|dans|vers|sur|de|du|des|mon|mes))*";

/** Beginnings by language: the person, their wish, the material, and the preposition. */
const REQUESTS: readonly string[] = [
  // English
  `(?:(?:my|our)\\s+(?:manager|boss|employer|company|teacher|lead|supervisor)\\s+(?:wants|asked|asks|told|needs|expects)\\s+(?:me|us)|(?:(?:i|we|who|they|he|she|you)\\s*['’]?\\s*(?:really\\s+|just\\s+|also\\s+|now\\s+)?)?(?:wants?|wanted|needs?|would\\s+like|d\\s+like|(?:am|are|is|m)\\s+trying|plans?|hopes?|wish))\\s+to(?:\\s+(?:learn|study|improve|understand|know|get|become|find\\s+out|brush\\s+up|move|switch|go|start|train|master|develop|practi[cs]e|explain|roll\\s+out|organi[sz]e|set\\s+up|deliver|provide)(?:\\s+(?:more|better|started|trained|certified|how|why|what))*(?:\\s+(?:to|into|about|on|at|in|with|my|our|the))*)?${writeMaterialRequest('en')}`,
  `(?<=\\p{L}\\s+)need(?=\\s+(?:to|some|something|training|basic|help)\\s)(?:\\s+to)?${writeMaterialRequest('en')}`,
  `(?:looking|searching)\\s+for${writeMaterialRequest('en')}`,
  `(?:(?:i|we|they)\\s+|and\\s+|^|[.!?,]\\s*)needs?${writeMaterialRequest('en')}`,
  `(?:do\\s+you\\s+have|is\\s+there|are\\s+there|(?:can|could)\\s+you\\s+(?:recommend|suggest|find)|recommend|find\\s+me|show\\s+me|give\\s+me)${writeMaterialAboutRequest('en')}`,
  `(?:help\\s+me\\s+(?:with|to|understand|learn)|teach\\s+me(?:\\s+(?:about|how\\s+to))?|(?:i\\s*['’]?\\s?a?m\\s+)?interested\\s+in)`,
  // French
  `(?:mon|ma|notre)\\s+(?:chef|cheffe|manager|patron|patronne|employeur|responsable|entreprise|direction|directeur|directrice|prof)\\s+(?:veut|souhaite|exige|demande|m['’]a\\s+demande|me\\s+demande)\\s+(?:que\\s+(?:je|j['’]|nous)|d[e'’])\\s*(?:${FRENCH_VERBS})?`,
  `(?:(?:je|nous|on|qui)\\s*)(?:voudrais|voudrions|veux|veut|voulons|souhaite|souhaiterais|souhaitons|aimerais|aimerions|desire)\\s+(?:${FRENCH_VERBS})?`,
  `(?:j['’]ai|on\\s+a|nous\\s+avons)\\s+besoin\\s+(?:de|d['’])\\s*(?:${FRENCH_VERBS})?`,
  `(?:(?:je|nous|on)\\s+)?(?:cherche|cherchons|recherche|recherchons)\\s+(?:a\\s+)?(?:${FRENCH_VERBS})?${writeMaterialRequest('fr')}`,
  `(?:nous\\s+devons|je\\s+dois|on\\s+doit|il\\s+faut)\\s+former\\s+[^,.;]*?\\s(?:a\\s+la|a\\s+l['’]|aux?|a)(?=\\s|\\p{L})`,
  `(?:avez-vous|auriez-vous|y\\s+a-t-il|existe-t-il)${writeMaterialAboutRequest('fr')}`,
  // German: the verb may come last, where it is a request word of the engine.
  `mein(?:e)?\\s+(?:chef|chefin|arbeitgeber|vorgesetzte[r]?|firma|lehrer(?:in)?)\\s+(?:will|mochte|verlangt|erwartet)\\s*,?\\s+dass\\s+(?:ich|wir)`,
  `(?:ich|wir|und)\\s+(?:mochten?|will|wollen|wurden?|musse?n?|muss)(?:\\s+(?:gerne?|mich|uns|mehr))*(?:\\s+(?:lernen|wissen|verstehen|uben)\\s*,?)?(?:\\s+wie\\s+(?:man|ich|wir))?(?:\\s+(?:in|uber|mit|zu))*`,
  `(?:ich|wir)\\s+(?:suchen?|brauchen?|benotigen?)${writeMaterialRequest('de')}`,
  `(?:gibt\\s+es|haben\\s+sie|habt\\s+ihr)${writeMaterialAboutRequest('de')}`,
  // Spanish
  `mi\\s+(?:jef[ea]|empresa|profesor(?:a)?|gerente)\\s+(?:quiere|pide|me\\s+pide|exige)\\s+que(?:\\s+yo)?\\s+(?:aprenda|mejore|estudie|haga|sepa)(?:\\s+(?:a|sobre|de|mi|como))*`,
  `(?:quiero|queremos|quisiera|necesito|necesitamos|me\\s+gustaria|deseo|tengo\\s+que)(?:\\s+(?:aprender|mejorar|entender|saber|conocer|empezar|formarme|estudiar|encontrar|comprender|iniciarme|especializarme|dedicarme))?(?:\\s+(?:mas|como|a|al|sobre|de|en|mi))*${writeMaterialRequest('es')}`,
  `(?:busco|buscamos)${writeMaterialRequest('es')}`,
  `(?:hay|existe|teneis|tienen|me\\s+recomiendas?)${writeMaterialAboutRequest('es')}`,
];

const REQUEST = new RegExp(`(?<![\\p{L}\\p{N}])(?:${REQUESTS.join('|')})(?![\\p{L}\\p{N}])`, 'u');

/** Matches the end of a topic: of the sentence, or before a clause, a purpose or a reason. */
const CLAUSE_END =
  /[.;!?](?=\s|$)|,?\s(?:and|but|because|since|so|as)\s+(?:that\s+)?(?=(?:i|we|my|our|they|it)\s)|\s(?:so\s+that|because)\s|,?\s(?:et|mais|car|parce\s+que)\s+(?=(?:je|j['’]|nous|on|il|elle|mon|ma)(?:\s|\p{L}))|\spour\s+(?=\p{L}+(?:er|ir|re)\s)|,?\s(?:und|aber|weil|denn)\s+(?=(?:ich|wir|mein|meine)\s)|\sum\s+(?=.*\szu\s)|,?\s(?:y|pero|porque)\s+(?=(?:yo|no|mi|me|estoy|tengo)\s)|\spara\s+(?=\p{L}+(?:ar|er|ir)\s)|\s(?:to|for)\s+(?:all|every)\s|\sby\s+(?:the\s+end|end|next)\s|,\s+(?:not|nothing|rien|nichts|nada|pas|nicht|idealement|ideally|with|avec|mit|con)\s|\s(?:without|sans|ohne|sin)\s/u;

/** The range of a request begins at `from`, that of its topic at `start`; both end at `end`. */
type RequestRange = { readonly from: number; readonly start: number; readonly end: number };

/** Finds a request and its topic in folded text; null if there is none. */
export function findRequest(folded: string): RequestRange | null {
  const match = REQUEST.exec(folded);
  if (match === null) return null;
  const start = match.index + match[0].length;
  const clauseEnd = CLAUSE_END.exec(folded.slice(start))?.index;
  const end = clauseEnd === undefined ? folded.length : start + clauseEnd;
  return /\p{L}{2}/u.test(folded.slice(start, end)) ? { from: match.index, start, end } : null;
}
