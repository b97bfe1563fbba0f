/** Reads whom a text is for, or where it is used: `for nurses`, `pour les chefs de projet`, `für
 *  Pflegekräfte`, `para profesores`, `in small companies`, `grade 8`. All patterns match folded
 *  text, in which spaces may replace words that were read before. */

import { joinAlternatives } from '../text.ts';

type AudienceRange = Readonly<Record<'start' | 'end' | 'nameStart' | 'nameEnd', number>>;

/** Roles and occupations by language, as patterns of plural and singular. */
const PEOPLE: Readonly<Record<'en' | 'fr' | 'de' | 'es', string>> = {
  en: joinAlternatives(`
    accountants? actors? administrators? admins? adults? advis[eo]rs? analysts? apprentices? architects? artists? assistants?
    bookkeepers? builders? carers? caregivers? chefs? clerks? clinicians? coaches? consultants? cooks? counsell?ors?
    creators? dentists? designers? developers? devs? directors? doctors? drivers? economists? editors? educators? electricians?
    employees? employers? engineers? entrepreneurs? executives? farmers? founders? freelancers? graduates? hairdressers?
    instructors? interns? journalists? lawyers? leaders? learners? librarians? managers? marketers? mechanics? midwives
    musicians? newcomers? nurses? officers? operators? owners? parents? paramedics? pharmacists? physicians? physiotherapists?
    plumbers? practitioners? professionals? professors? programmers? psychologists? pupils? receptionists? recruiters?
    researchers? retirees? sales(?:people|persons?|men)? scientists? secretaries seniors? soldiers? staff students? supervisors?
    surgeons? teachers? teams? teenagers? teens? therapists? trainees? trainers? translators? tutors? undergraduates?
    users? veterans? volunteers? waiters? welders? women workers? workforce writers? non-?[a-z]+(?:ers|ists|ians|ants|ors)
    (?:small|medium-sized)\\s+(?:businesses|companies|firms) smes? startups? nonprofits? ngos? charities`),
  fr: joinAlternatives(`
    enseignant(?:e|s|es)? professeure?s? profs? maitres(?:ses)? etudiant(?:e|s|es)? eleves? lyceen(?:ne)?s? collegien(?:ne)?s? ecoliers?
    infirmier(?:e|s|es)? soignant(?:e|s|es)? aides?[-\\s]soignant(?:e|s|es)? aides? auxiliaires? medecins? pharmaciens? managers? manageurs? cadres? chefs? cheffes?
    dirigeant(?:e|s|es)? responsables? directeurs? directrices? assistant(?:e|s|es)? secretaires? comptables? avocat(?:e|s|es)?
    juristes? ingenieure?s? technicien(?:ne)?s? ouvrier(?:e|s|es)? salarie(?:e|s|es)? employe(?:e|s|es)? collaborateurs? agents? fonctionnaires?
    formateurs? formatrices? parents? seniors? adultes? adolescents? ados? jeunes? femmes? benevoles? demandeurs? apprentis? apprenant(?:e|s|es)?
    stagiaires? alternants? entrepreneurs? independants? artisans? commercants? commerciaux vendeurs? vendeuses? developpeurs?
    developpeuses? programmeurs? designers? graphistes? architectes? chercheurs? journalistes? traducteurs? bibliothecaires? psychologues?
    educateurs? educatrices? animateurs? animatrices? cuisiniers? serveurs? coiffeurs? coiffeuses? electriciens? plombiers? chauffeurs?
    conducteurs? caristes? agriculteurs? militaires? pompiers? policiers? elus associations? pme tpe (?:petites|moyennes)\\s+entreprises
    collectivites equipes? novices? personnels? non[-\\s][a-z]+(?:iens|istes|ants|eurs) professionnel(?:le)?s? utilisateurs? consultant(?:e|s|es)?
    nouveaux\\s+(?:arrivants|embauches|employes|salaries|managers) debutants?\\s+complets?`),
  de: joinAlternatives(`
    \\p{L}*(?:lehrer(?:innen)?|lehrkrafte|lehrende|krafte|pfleger(?:innen)?|schwestern|arzte|arztinnen|manager(?:innen)?|leiter(?:innen)?|mitarbeiter(?:innen)?|mitarbeitende)
    \\p{L}*(?:angestellte|beschaftigte|student(?:en|innen)|studierende|schuler(?:innen)?|auszubildende|azubis?|eltern|erwachsene|jugendliche|senioren|frauen)n?
    \\p{L}*(?:entwickler|designer|ingenieure?|techniker|elektriker|handwerker|verkaufer|buchhalter|anwalte|juristen|trainer|dozenten|ausbilder|erzieher)(?:innen)?
    \\p{L}*(?:unternehmer|grunder|selbststandige|freiberufler|betriebe|unternehmen|firmen|vereine|teams|kaufleute|programmierer|wissenschaftler|forscher|journalisten)
    \\p{L}*(?:berater|assistenten|arbeiter|fahrer|koche|kellner|nutzer|anwender|psychologen|therapeuten|apotheker|sekretarinnen|chefs)(?:innen)?
    quereinsteiger(?:innen)? berufseinsteiger lernende nicht\\p{L}+er`),
  es: joinAlternatives(`
    profesor(?:es|as?)? docentes? maestr[oa]s? alumn[oa]s? estudiantes? enfermer[oa]s? medic[oa]s? cuidador(?:es|as?)? directiv[oa]s? gerentes?
    jef[ea]s? lideres emplead[oa]s? trabajador(?:es|as?)? contables? contador(?:es|as?)? abogad[oa]s? ingenier[oa]s? tecnic[oa]s?
    desarrollador(?:es|as?)? programador(?:es|as?)? disenador(?:es|as?)? arquitect[oa]s? investigador(?:es|as?)? cientific[oa]s? periodistas?
    traductor(?:es|as?)? formador(?:es|as?)? padres madres familias adult[oa]s? adolescentes? jovenes mayores mujeres emprendedor(?:es|as?)?
    autonom[oa]s? pymes? (?:pequenas|medianas)\\s+empresas vendedor(?:es|as?)? comerciales administrativ[oa]s? secretari[oa]s? cociner[oa]s?
    camarer[oa]s? electricistas? fontaner[oa]s? conductor(?:es|as?)? operari[oa]s? agricultor(?:es|as?)? voluntari[oa]s? desempleados personal
    profesionales equipos usuari[oa]s? psicolog[oa]s? farmaceutic[oa]s? analistas? consultor(?:es|as?)? no\\s+\\p{L}+(?:istas|ores|icos)`),
};

const FOR: Readonly<Record<keyof typeof PEOPLE, string>> = {
  en: '(?:for|aimed\\s+at|suitable\\s+for|designed\\s+for)\\s+(?:(?:all|the|an?|my|our|your|new|future|busy|young|older|first-time)\\s+)*',
  fr: "(?:pour|a\\s+destination\\s+d[eu]s?|destinee?s?\\s+aux?|a\\s+l['’]intention\\s+d[eu]s?)\\s+(?:(?:tou(?:s|tes)|les?|la|des|mes|nos|vos|une?|futur(?:e|s|es)?|jeunes|petits?)\\s+|l['’])*",
  de: 'fur\\s+(?:(?:die|den|das|alle|unsere|meine|neue|junge|angehende|kunftige|kleine|mittlere|einen?|und)\\s+)*',
  es: 'para\\s+(?:(?:l[oa]s?|el|tod[oa]s|mis|nuestr[oa]s|futur[oa]s|nuev[oa]s|un[oa]?s?)\\s+)*',
};

/** Words before a person noun (`project managers`) or after it (`chefs de projet`). */
const NAME: Readonly<Record<keyof typeof PEOPLE, string>> = {
  en: `(?:(?!(?:and|or|in|on|with|to|of|the|a|who|beginner)\\s)[\\p{L}-]+\\s+){0,2}(?:${PEOPLE.en})(?:\\s+with\\s+\\p{L}+)?`,
  fr: `(?:${PEOPLE.fr})(?:\\s+(?:d[eu]s?\\s+(?:l[ae']s?\\s*)?|d['’]|en\\s+|a\\s+)[\\p{L}-]+)?`,
  de: `(?:${PEOPLE.de})`,
  es: `(?:${PEOPLE.es})(?:\\s+(?:de(?:l|\\s+la|\\s+los)?)\\s+[\\p{L}-]+)?`,
};

/** Makes a pattern that captures a name after the words before it. */
const createAudiencePattern = (before: string, name: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}'’-])(?:${before})(${name})(?![\\p{L}\\p{N}])`, 'gu');

const SIZED_PLACE = joinAlternatives(
  `compan(?:y|ies) business(?:es)? organi[sz]ations? firms? teams? schools? hospitals? offices? shops?`,
);

const patterns: readonly RegExp[] = [
  ...(['en', 'fr', 'de', 'es'] as const).map((lang) => createAudiencePattern(FOR[lang], NAME[lang])),
  createAudiencePattern(
    'in\\s+',
    `(?:(?:an?|the|my|our|your)\\s+)?(?:small|large|big|medium(?:-sized)?)(?:\\s+and\\s+medium(?:-sized)?)?\\s+(?:${SIZED_PLACE})`,
  ),
  createAudiencePattern('in\\s+(?:my|our)\\s+', SIZED_PLACE),
  createAudiencePattern(
    'dans\\s+(?:les|des|une?|ma|mon|nos|notre)\\s+',
    '(?:petites?|moyennes?|grandes?)\\s+(?:entreprises?|structures?|equipes?)|pme|tpe',
  ),
  createAudiencePattern(
    'in\\s+',
    '(?:kleinen|mittleren|grossen)(?:\\s+und\\s+mittleren)?\\s+(?:unternehmen|betrieben|firmen|teams)',
  ),
  createAudiencePattern(
    'en\\s+',
    '(?:pequenas|medianas|grandes)(?:\\s+y\\s+medianas)?\\s+(?:empresas|organizaciones)|pymes',
  ),
  // Classes and ages.
  createAudiencePattern(
    '(?:(?:for|in|at|of)\\s+(?:my\\s+|the\\s+)?)?',
    '(?:grade|year)\\s+(?:[1-9]|1[0-3])|(?:[1-9]|1[0-2])(?:st|nd|rd|th)[\\s-]grade(?:rs?)?|(?:middle|high|secondary)\\s+school(?:\\s+(?:students?|pupils?|teachers?))?|\\d{1,2}(?:\\s*-\\s*\\d{1,2})?[\\s-]years?[\\s-]olds?|k-?12',
  ),
  createAudiencePattern(
    '(?:(?:pour|en|au|classe\\s+de|eleves?\\s+de|niveau)\\s+(?:les?\\s+)?)',
    '(?:6|5|4|3)e(?:me)?|seconde|premiere|terminale|lycee|college|c[ep][12]|cm[12]|\\d{1,2}(?:\\s*-\\s*\\d{1,2})?\\s+ans',
  ),
  createAudiencePattern('(?:(?:niveau|classe\\s+de)\\s+)?', 'ce[12]|cm[12]|terminale'),
  createAudiencePattern(
    '(?:(?:fur|in|ab)\\s+(?:die\\s+|der\\s+)?)?',
    '(?:klasse|klassenstufe)\\s+\\d{1,2}|\\d{1,2}\\.\\s+klasse|sekundarstufe(?:\\s+[i1]{1,2})?',
  ),
  createAudiencePattern(
    '(?:(?:para|en|de)\\s+)',
    '\\d\\s*[oº]?\\s+de\\s+(?:primaria|eso|secundaria|bachillerato)|primaria|secundaria|bachillerato',
  ),
];

/** `I am a nurse`, `je suis infirmière`, `ich bin Lehrerin`, `soy contable`. */
const SELF = new RegExp(
  [
    "(?:i['’]?\\s?a?m|(?:working\\s+)?as)\\s+(?:an?|the)\\s+([\\p{L}-]+(?:\\s+(?!(?:who|and|but|looking|wanting|trying|in|at|with|i)\\s)[\\p{L}-]+){0,2})",
    "(?:je\\s+suis|je\\s+viens\\s+d['’]etre\\s+nommee?|en\\s+tant\\s+que|etant)\\s+(?:une?\\s+)?((?!(?:a|en|au|de|la|le|tres|pas|nul|nulle|perdue?)\\s)[\\p{L}-]+(?:\\s+(?:de|en|d['’])\\s*[\\p{L}-]+)?)",
    '(?:ich\\s+bin|ich\\s+arbeite\\s+als|als)\\s+(?:eine?\\s+)?(\\p{L}{4,})',
    '(?:soy|trabajo\\s+como)\\s+(?:una?\\s+)?(\\p{L}{4,}(?:\\s+de\\s+\\p{L}+)?)',
  ]
    .map(
      (pattern) =>
        `(?<![\\p{L}\\p{N}])${pattern}(?=\\s+(?:who|and|but|looking|wanting|trying|et|mais|qui|und|aber|y|pero|que)\\s|\\s*[,.;!]|\\s*$)`,
    )
    .join('|'),
  'gu',
);

/** Finds audiences in the order of the patterns; their ranges do not overlap.
 *  @param isRequest whether the text requests something besides describing its author */
export function findAudiences(folded: string, isRequest: boolean): readonly AudienceRange[] {
  let remaining = folded;
  const ranges: AudienceRange[] = [];
  for (const pattern of isRequest ? [SELF, ...patterns] : patterns) {
    for (const match of remaining.matchAll(pattern)) {
      const name = match.slice(1).find((group) => group !== undefined) ?? '';
      const end = match.index + match[0].length;
      const nameStart = match.index + match[0].lastIndexOf(name);
      ranges.push({ start: match.index, end, nameStart, nameEnd: nameStart + name.length });
      remaining = remaining.slice(0, match.index) + ' '.repeat(match[0].length) + remaining.slice(end);
    }
  }
  return ranges;
}
