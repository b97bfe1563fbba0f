import { expect, test } from 'vitest';
import { createGazetteer } from '../../../src/adapters/local/gazetteer.ts';
import { readStarterCatalog } from '../../../src/adapters/local/starter-catalog.ts';

const { places } = readStarterCatalog('data');
const gazetteer = createGazetteer(places);

async function find(address: string): Promise<string | null> {
  const place = await gazetteer.findPlace(address);
  return place && `${place.name}, ${place.country}`;
}

test.each([
  ['Lyon', 'Lyon, FR'],
  ['lyon', 'Lyon, FR'],
  ['Montréal, Québec', 'Montreal, CA'],
  ['Québec', 'Quebec City, CA'],
  ['12 rue de Paris, Lyon', 'Lyon, FR'],
  ['12 rue de Paris Lyon', 'Lyon, FR'],
  ['1098 XH Amsterdam', 'Amsterdam, NL'],
  ['Science Park 402, 1098 XH Amsterdam, Netherlands', 'Amsterdam, NL'],
  ['75011 Paris, France', 'Paris, FR'],
  ['Museumsinsel 1, D-80538 München', 'Munich, DE'],
  ['Munchen', 'Munich, DE'],
  ['NEW YORK', 'New York, US'],
  ['Paris', 'Paris, FR'],
  ['London', 'London, GB'],
  ['London, CA', 'London, CA'],
  ['Laval, France', 'Laval, FR'],
  ['Cambridge, États-Unis', 'Cambridge, US'],
])('%s is %s', async (address, place) => {
  expect(await find(address)).toBe(place);
});

test.each(['Atlantis', '', ' , ', '12345', '!!!', 'x '.repeat(150), '\u0000', 'constructor', '__proto__'])(
  'finds no place for %j',
  async (address) => {
    expect(await find(address)).toBeNull();
  },
);

test('finds every city by each of its names', async () => {
  for (const { name, country } of places) {
    expect(await gazetteer.findPlace(`${name}, ${country}`)).toMatchObject({ country });
  }
  expect(await gazetteer.findPlace('Lyon')).toMatchObject({ lat: 45.764, lon: 4.8357 });
});

test('finds a city only where the whole text is its name, with or without its country', () => {
  const lyon = { name: 'Lyon', country: 'FR' };
  expect(gazetteer.findCity('lyon')).toMatchObject(lyon);
  expect(gazetteer.findCity('Lyon, France')).toMatchObject(lyon);
  expect(gazetteer.findCity('London, Canada')).toMatchObject({ country: 'CA' });
  expect(gazetteer.findCity('aix en provence')).toMatchObject({ name: 'Aix-en-Provence' });
  for (const text of ['Lyon, Canada', 'Lyon, Excel', 'rue de Lyon', 'Lyon 3', 'Java', 'China', '', ','])
    expect(gazetteer.findCity(text)).toBeNull();
});
