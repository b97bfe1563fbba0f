import type { Provider } from '#domain/catalog';
import { foldText } from '#domain/text';
import { chooseLogos } from '#faces/object-view/logos';
import { findLanguageName } from '#faces/words/language-names';
import { createListModel, type ListChoice, readListChoice } from '../lists/lists.ts';
import { get, makePage, type Reply, type SignedInContext } from '../route.ts';

export const catalogueRoutes = [get('/catalogue', 'viewer', showCatalogue)];

async function showCatalogue(context: SignedInContext): Promise<Reply> {
  const { query, locale, t, linkChecks, local, pictures, system } = context;
  const { providers, types, languages, taxonomies } = system.catalogCounts;
  const choice = readListChoice(query, ['objects', 'name'], true);
  const listed = (await local.ask('listProviders', {})).map((provider) => ({
    ...provider,
    logo: chooseLogos(provider.logos, 'square', pictures),
    objects: providers.get(provider.id) ?? 0,
  }));
  const result = chooseProviders(listed, choice);
  const links = await linkChecks.countLinkChecks();
  const listCounts = (counts: ReadonlyMap<string, number>, nameOf: (value: string) => string) =>
    Array.from(counts, ([value, total]) => ({ name: nameOf(value), total }));
  return makePage('catalogue', {
    sizes: system.sizes,
    megabytes: (system.sizes.indexBytes / 1e6).toLocaleString(locale, {
      style: 'unit',
      unit: 'megabyte',
      maximumFractionDigits: 1,
    }),
    list: createListModel({ path: '/catalogue', query, choice }, result),
    providers: result.items,
    deadLinks: links.dead,
    groups: [
      { id: 'types', counts: listCounts(types, (type) => t(`types.${type}`)) },
      { id: 'languages', counts: listCounts(languages, (code) => findLanguageName(code, locale)) },
      { id: 'taxonomies', counts: listCounts(taxonomies, (name) => name) },
    ],
  });
}

function chooseProviders<P extends Provider & { readonly objects: number }>(
  providers: readonly P[],
  { search, sort, descending, page, pageSize }: ListChoice<'objects' | 'name'>,
) {
  const folded = foldText(search);
  const order = descending ? -1 : 1;
  const result = providers
    .filter(({ name }) => foldText(name).includes(folded))
    .sort((a, b) => {
      const byName = foldText(a.name).localeCompare(foldText(b.name));
      return sort === 'name' ? order * byName : order * (a.objects - b.objects) || byName;
    });
  return { items: result.slice(page * pageSize, (page + 1) * pageSize), total: result.length };
}
