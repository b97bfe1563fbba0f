import type { CatalogPart } from '#domain/catalog';
import { normalizeObjectAddress } from '#domain/learning-object';
import { factNames, objectFacts } from '#domain/object-facts';
import type { ImportSource } from '#ports/imports';
import type { ProviderRecord } from '../catalog-schema.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { DEFAULT_LANG, toObjectProvider, toObjectProviderPart, toObjectRecord } from '../object-record.ts';
import type { ColumnSpec } from './columns.ts';
import { readObjectCells } from './object-cells.ts';
import { openRows, type RowsOptions, readFingerprint } from './open-rows.ts';
import { createRecentRows, type RowReader, readEachRow, readTableCell, refuseRow } from './row-reader.ts';
import { createTableSource } from './table-source.ts';

const mapFacts = (what: 'columns' | 'example'): Record<string, string> =>
  Object.fromEntries(factNames.map((name) => [name, objectFacts[name][what]]));

export const objectColumns: ColumnSpec = {
  required: ['url', 'title'],
  optional: [
    ...'description provider type bloom lang keywords level learningTime free price currency paid popularity author publisher address lat lon age ageMin ageMax picture embed'.split(
      ' ',
    ),
    ...factNames,
  ],
  aliases: {
    url: 'link, web, href, web address, weblink, hyperlink, permalink, course link, canonical url, source url, page url, lien, adresse web, lien web, adresse internet, internetadresse, enlace, website, site web, webseite, landing page, uri, web page, page, courseurl, html url, link url, direccion web, link to resource, link to course, lien url',
    title:
      'name, course name, course title, nom, titre, intitule, libelle, titel, titulo, nombre, bezeichnung, kurstitel, kursname, label, full name, fullname, long name, titolo, course, cours, formation, kurs, curso, corso',
    description:
      'summary, abstract, short description, long description, overview, about, synopsis, details, resume, descriptif, presentation, beschreibung, kurzbeschreibung, zusammenfassung, descripcion, subtitle, objectives, learning outcomes, headline, intro, short intro, tagline, descrizione, descricao, omschrijving, resumen, resumo',
    provider:
      'university, institution, organization, organisation, school, platform, offered by, partner, vendor, company, college, etablissement, organisme, universite, ecole, plateforme, anbieter, hochschule, universitat, institution name, content provider, source, organisme, veranstalter, proveedor, institucion, fornitore, fornecedor, aanbieder',
    type: 'resource type, learning resource type, material type, content type, media type, kind, format, medium, media, nature, art, typ, medientyp, tipo, course type',
    lang: 'language, content language, langue, sprache, idioma, lingua, locale, in language, langue d enseignement, audio language, unterrichtssprache, taal',
    keywords:
      'tag, keyword, skill, subject, topic, category, skill gained, subject area, discipline, mot cle, mots cles, theme, thematique, matiere, domaine, competence, categorie, schlagwort, schlagworter, stichwort, thema, fach, materia, palabra clave, field, area, domain, subcategory, sub category, themengebiet, trefwoord, trefwoorden, parole chiave, palavra chave, palavras chave, argomento, categoria, tema',
    level:
      'difficulty, difficulty level, education level, educational level, instructional level, expertise level, niveau, difficulte, niveau de difficulte, schwierigkeit, schwierigkeitsgrad, nivel, stufe, niveau requis, livello',
    learningTime:
      'length, duration, time, learning time, time required, estimated time, estimated duration, course length, course duration, content duration, content length, video length, workload, effort, time to complete, runtime, duree, temps, dauer, lange, zeit, kursdauer, duracion, hour, heure, stunde, minute, approximate duration, duree estimee, tiempo estimado, geschatzte dauer, durata, duracao, duur',
    free: 'free of charge, is accessible for free, gratuit, gratuite, kostenlos, kostenfrei, gratis, gratuito, free access',
    price:
      'cost, fee, amount, list price, price usd, price eur, price amount, price detail amount, original price, tuition, prix, tarif, cout, frais, preis, kosten, gebuhr, precio, paid or free, free or paid, prezzo, preco, prijs',
    currency: 'price currency, currency code, devise, monnaie, wahrung, moneda',
    paid: 'is paid, payant, paid course, kostenpflichtig',
    popularity: 'popularite, beliebtheit',
    author:
      'instructor, teacher, creator, speaker, presenter, trainer, lecturer, professor, taught by, auteur, formateur, enseignant, intervenant, autor, dozent, lehrer, referent, contributor, by, autore',
    publisher: 'editor, editeur, herausgeber, verlag, editorial',
    address: 'place, venue, adresse, lieu, ort, direccion',
    lat: 'latitude, breitengrad',
    lon: 'longitude, lng, long, langengrad',
    age: 'age range, typical age range, age group, tranche d age, alter, altersgruppe, edad',
    ageMin: 'minimum age, min age, age from, from age, age minimum, mindestalter',
    ageMax: 'maximum age, max age, age to, to age, age maximum, hochstalter',
    picture:
      'image, thumbnail, image url, picture url, thumbnail url, cover, cover image, course image, photo, vignette, illustration, bild, imagen, preview image, vorschaubild, miniature, immagine',
    embed: 'embed url, player, player url',
    ...mapFacts('columns'),
  },
  joined: ['keywords', 'author'],
  nested: ['location'],
  examples: {
    url: 'https://example.org/courses/first-aid',
    title: 'First aid at work',
    description: 'How to secure an accident, call for help and keep a person alive until it comes.',
    provider: 'Example Academy',
    type: 'training | video',
    bloom: 'Remember | Apply',
    lang: 'en',
    keywords: 'first aid | safety at work',
    level: 'beginner',
    learningTime: '1 h 30',
    free: 'yes',
    price: '0 EUR',
    popularity: '0.5',
    author: 'Ada Example',
    publisher: 'Example Academy',
    address: '1 Example Street, 69003 Lyon, France',
    lat: '45.764',
    lon: '4.836',
    ageMin: '16',
    ageMax: '99',
    picture: 'https://example.org/courses/first-aid.jpg',
    embed: 'https://example.org/courses/first-aid/player',
    ...mapFacts('example'),
  },
};

/** Opens learning objects: a table with a row for each, or JSON Lines like those of `data/objects`.
 *  Only the address and the title are required. Errors: IMPORT_INVALID. */
export async function openObjectsSource(source: SourceFiles, options: RowsOptions): Promise<ImportSource> {
  const { dataset, title, langs, provider = '' } = options;
  const table = await openRows(source, objectColumns, options);
  return createTableSource({
    format: 'objects',
    dataset,
    title,
    covers: [''],
    fingerprint: `${source.fingerprint}:${provider}:${langs.join()}${readFingerprint(options)}`,
    ...(table.columns && { columns: table.columns }),
    plans: [{ table, covers: '', createReader: () => readObjects(options) }],
  });
}

/** An address as people write it: `www.example.org/a`. */
const BARE_ADDRESS = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,20}(?::\d+)?(?:[/?#]\S*)?$/i;

/** Each provider is given before the first of its objects. */
function readObjects({ langs, provider: defaultProvider = '' }: RowsOptions): RowReader {
  const lines = createRecentRows<number>();
  const namedProviders = createRecentRows<true>();
  return readEachRow(({ fields, line }) => {
    const { cells, warnings } = readObjectCells(fields, langs[0] ?? DEFAULT_LANG);
    const written = readTableCell(fields.url).replace(/^<(.*)>$/, '$1');
    const url = BARE_ADDRESS.test(written) ? `https://${written}` : written;
    const told =
      url === written ? warnings : [`url is "${written.slice(0, 60)}": taken as ${url.slice(0, 70)}`, ...warnings];
    const provider = rowProvider(readTableCell(fields.provider) || defaultProvider, url);
    const outcome = toObjectRecord({
      ...cells,
      url,
      title: readTableCell(fields.title),
      provider: provider.id,
      defaultLang: langs[0],
    });
    if ('reason' in outcome) return refuseRow(outcome.reason, outcome.of);
    const { record } = outcome;
    const before = lines.swap(normalizeObjectAddress(record.url), line);
    if (before !== undefined) return refuseRow(`the address is that of line ${before}: write each object once`);
    const object: CatalogPart = { kind: 'object', key: record.url, part: '', body: record };
    const part = namedProviders.swap(provider.id, true) === undefined ? toObjectProviderPart(provider) : null;
    const rejected = told.length === 0 ? [] : [{ reason: told.join('; '), isUsed: true } as const];
    return { parts: part === null ? [object] : [part, object], rejected };
  });
}

/** A provider with this name, or the site that the object is on. */
function rowProvider(name: string, url: string): ProviderRecord {
  if (name !== '') return toObjectProvider(name, undefined, url);
  return toObjectProvider(undefined, URL.canParse(url) ? `${new URL(url).origin}/` : undefined, url);
}
