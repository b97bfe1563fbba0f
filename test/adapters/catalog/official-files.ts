/** Small files in the layouts of the official downloads. */
const skill = 'http://data.europa.eu/esco/skill';
const occupation = 'http://data.europa.eu/esco/occupation';

export const escoFiles = {
  'v1.1.1-en/skills_en.csv': `conceptType,conceptUri,skillType,reuseLevel,preferredLabel,altLabels,hiddenLabels,status,modifiedDate,scopeNote,definition,inScheme,description
KnowledgeSkillCompetence,${skill}/aaaa,skill/competence,sector-specific,manage musical staff,"manage music staff
manage musical staff
direct ""musical"" staff",lead players,released,,,,,"Assign, and manage, tasks."
KnowledgeSkillCompetence,${skill}/bbbb,knowledge,cross-sector,beekeeping,,,released,,,,,
KnowledgeSkillCompetence,urn:other:1,knowledge,cross-sector,odd,,,released,,,,,
KnowledgeSkillCompetence,${skill}/cccc,knowledge,cross-sector,,,,released,,,,,
`,
  'v1.1.1-en/occupations_en.csv': `conceptType,conceptUri,iscoGroup,preferredLabel,altLabels,hiddenLabels,description
Occupation,${occupation}/1111,2654,technical director,head of technical,,Realises visions.
`,
  'v1.1.1-en/skillGroups_en.csv': `conceptType,conceptUri,preferredLabel,altLabels,description
SkillGroup,http://data.europa.eu/esco/isced-f/0811,crop and livestock production,,
SkillGroup,${skill}/S1.2,working with others,,
`,
  'v1.1.1-en/skillsHierarchy_en.csv': `Level 0 URI,Level 0 preferred term,Level 1 URI,Level 1 preferred term,Description,Level 0 code
${skill}/S1,communication,,,,S1
${skill}/S1,communication,${skill}/S1.2,working with others,In teams.,S1
`,
  'v1.1.1-en/ISCOGroups_en.csv': `conceptType,conceptUri,code,preferredLabel
ISCOGroup,http://data.europa.eu/esco/isco/C2654,2654,Film directors
`,
  'v1.1.1-en/broaderRelationsSkillPillar.csv': `conceptType,conceptUri,broaderType,broaderUri
KnowledgeSkillCompetence,${skill}/bbbb,SkillGroup,http://data.europa.eu/esco/isced-f/0811
KnowledgeSkillCompetence,${skill}/aaaa,SkillGroup,${skill}/S1.2
`,
  'v1.1.1-en/broaderRelationsOccPillar_en.csv': `conceptType,conceptUri,broaderType,broaderUri
ISCOGroup,http://data.europa.eu/esco/isco/C2654,ISCOGroup,http://data.europa.eu/esco/isco/C265
Occupation,${occupation}/1111,ISCOGroup,http://data.europa.eu/esco/isco/C2654
`,
  'v1.1.1-en/occupationSkillRelations.csv': `occupationUri,relationType,skillType,skillUri
${occupation}/1111,essential,knowledge,${skill}/bbbb
${occupation}/1111,essential,skill/competence,${skill}/aaaa
${occupation}/1111,optional,skill/competence,${skill}/cccc
${occupation}/1111,sometimes,skill/competence,${skill}/cccc
`,
  'v1.1.1-en/skillSkillRelations.csv': `originalSkillUri,originalSkillType,relationType,relatedSkillType,relatedSkillUri
${skill}/aaaa,skill/competence,optional,knowledge,${skill}/bbbb
`,
  'v1.0-fr/skills_fr.csv': `conceptType,conceptUri,skillType,reuseLevel,preferredLabel,altLabels,description
KnowledgeSkillCompetence,${skill}/bbbb,knowledge,cross-sector,apiculture,élevage d'abeilles,
`,
};

export const onetFiles = {
  'Occupation Data.txt': `O*NET-SOC Code\tTitle\tDescription
11-1011.00\tChief Executives\tDetermine "policies".
15-1252.00\tSoftware Developers\tDevelop.
bad\tNobody\t
`,
  'Alternate Titles.txt': `O*NET-SOC Code\tAlternate Title\tShort Title\tSource(s)
11-1011.00\tChief Diversity Officer (CDO)\tCDO\t02
11-1011.00\tBank President\tn/a\t09
15-1252.00\tProgrammer\tn/a\t09
`,
  'Technology Skills.txt': `O*NET-SOC Code\tExample\tCommodity Code\tCommodity Title\tHot Technology
11-1011.00\tEmail software\t43233501\tElectronic mail software\tN
15-1252.00\tC++\t43232402\tDevelopment environment software\tY
15-1252.00\tC#\t43232402\tDevelopment environment software\tY
15-1252.00\tEmail software\t43233501\tElectronic mail software\tN
`,
  'Related Occupations.txt': `O*NET-SOC Code\tRelated O*NET-SOC Code\tRelatedness Tier\tIndex
11-1011.00\t15-1252.00\tPrimary-Short\t1
15-1252.00\t11-1011.00\tSupplemental\t11
`,
};

export const romeFiles = {
  'metiers.csv': `"code_rome","libelle_rome","code_grand_domaine","libelle_grand_domaine","code_domaine_professionel","libelle_domaine_professionel"
"A1101","Conduite d'engins agricoles","A","Agriculture","A11","Engins agricoles"
"A1201","Bûcheronnage et élagage","A","Agriculture","A12","Espaces naturels"
`,
  'appellations.csv': `"code_ogr","libelle_appellation_long","libelle_appellation_court","code_rome"
"11987","Abatteur / Abatteuse de bois","Abatteur(se) de bois","A1201"
"x","Personne","Personne","A1201"
`,
  'competences.csv': `"code_ogr","libelle","code_type_referentiel","code_ref_rubrique"
"100007","Techniques de soudage","1","7"
"100007","Techniques de soudage","1","10"
"24033","Exploitation forestière","5","5"
`,
  'definitions.csv': `"code_rome","position_libelle_txt","code_type_texte","libelle_texte","libelle_type_texte"
"A1101","0","1","Réalise l''abattage.","definition"
"A1101","1","1","Peut entretenir.","definition"
"A1101","0","2","Accessible sans diplôme.","acces_a_em"
`,
  'correspondances.csv': `"code_rome","code_ogr"
"A1101","100007"
"A1101","24033"
"A1201","100007"
`,
  'rome_to_esco_occupations.csv': `Mapping project name,ESCO - ROME
Mapping project version,V1.4

classification 1 ID,classification 1 prefered label,classification 2 ID,classification 2 prefered label,mapping relation
hthttp://data.europa.eu/esco/occupation/1111,bûcheron,11987,Abatteur,skos:exactMatch
http://data.europa.eu/esco/occupation/2222,élagueur,11987,Abatteur,skos:narrowMatch
somewhere,élagueur,11987,Abatteur,skos:narrowMatch
`,
};
