import { expect, test } from 'vitest';
import {
  embeddingSources,
  findSiteContentWitness,
  findSiteEmbedding,
  findSitePictureSource,
} from '../../../src/domain/sites/sites.ts';

const NOCOOKIE = 'https://www.youtube-nocookie.com/embed';

const framed = [
  ['https://www.youtube.com/watch?v=BSaF8KxnoLY', `${NOCOOKIE}/BSaF8KxnoLY?rel=0`],
  ['http://m.youtube.com/watch?v=BSaF8KxnoLY&feature=share', `${NOCOOKIE}/BSaF8KxnoLY?rel=0`],
  ['https://youtu.be/oNHABU-8xfs?t=307', `${NOCOOKIE}/oNHABU-8xfs?rel=0&start=307`],
  ['https://youtu.be/oNHABU-8xfs?t=1h2m3s', `${NOCOOKIE}/oNHABU-8xfs?rel=0&start=3723`],
  ['https://www.youtube.com/shorts/oNHABU-8xfs', `${NOCOOKIE}/oNHABU-8xfs?rel=0`],
  ['https://www.youtube.com/embed/oNHABU-8xfs?start=9', `${NOCOOKIE}/oNHABU-8xfs?rel=0&start=9`],
  [
    'https://www.youtube.com/watch?v=BSaF8KxnoLY&list=PLNmsVeXQZj7q4shI4L__SRpetWff9BjLZ',
    `${NOCOOKIE}/BSaF8KxnoLY?rel=0&list=PLNmsVeXQZj7q4shI4L__SRpetWff9BjLZ`,
  ],
  [
    'https://youtube.com/playlist?list=PLuBK_vNnGp8ANspdZh_aRAa1InIhFlgm_',
    `${NOCOOKIE}/videoseries?rel=0&list=PLuBK_vNnGp8ANspdZh_aRAa1InIhFlgm_`,
  ],
  ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?dnt=1'],
  ['https://vimeo.com/76979871/8272103f6e', 'https://player.vimeo.com/video/76979871?dnt=1&h=8272103f6e'],
  [
    'https://player.vimeo.com/video/76979871?h=8272103f6e&autoplay=1',
    'https://player.vimeo.com/video/76979871?dnt=1&h=8272103f6e',
  ],
  ['https://vimeo.com/channels/staffpicks/76979871', 'https://player.vimeo.com/video/76979871?dnt=1'],
  [
    'https://www.ted.com/talks/manuel_lima_a_visual_history_of_human_knowledge',
    'https://embed.ted.com/talks/manuel_lima_a_visual_history_of_human_knowledge',
  ],
  ['https://archive.org/details/some-lecture_01', 'https://archive.org/embed/some-lecture_01'],
  [
    'https://phet.colorado.edu/sims/html/area-builder/latest/area-builder_en.html',
    'https://phet.colorado.edu/sims/html/area-builder/latest/area-builder_en.html',
  ],
  ['https://www.geogebra.org/m/rxyqfpnr', 'https://www.geogebra.org/material/iframe/id/rxyqfpnr'],
  ['https://scratch.mit.edu/projects/10128407/', 'https://scratch.mit.edu/projects/10128407/embed'],
  ['https://de.wikibooks.org/wiki/C-Programmierung', 'https://de.wikibooks.org/wiki/C-Programmierung'],
  [
    'http://en.wikibooks.org/wiki/Blender_3D%3A_Noob_to_Pro?x=1#part',
    'https://en.wikibooks.org/wiki/Blender_3D%3A_Noob_to_Pro',
  ],
  [
    'https://phet.colorado.edu/sims/html/area-builder/latest/area-builder_all.html?locale=fr',
    'https://phet.colorado.edu/sims/html/area-builder/latest/area-builder_all.html?locale=fr',
  ],
  [
    'https://tube.reseau-canope.fr/videos/watch/0a7c1e2f-1b2c-4d3e-8f90-0123456789ab',
    'https://tube.reseau-canope.fr/videos/embed/0a7c1e2f-1b2c-4d3e-8f90-0123456789ab',
  ],
  ['https://framatube.org/w/kkGMgK9ZtnKfYAgnEtQxbv', 'https://framatube.org/videos/embed/kkGMgK9ZtnKfYAgnEtQxbv'],
  ['https://h5p.org/node/617', 'https://h5p.org/h5p/embed/617'],
  ['https://school.h5p.com/content/1290876454884163447', 'https://school.h5p.com/content/1290876454884163447/embed'],
  ['https://fr.khanacademy.org/embed_video?v=BSaF8KxnoLY', `${NOCOOKIE}/BSaF8KxnoLY?rel=0`],
  ['https://openstax.org/books/biology-2e/pages/preface', 'https://openstax.org/books/biology-2e/pages/preface'],
] as const;

test.each(framed)('%s is framed as %s', (address, src) => {
  const found = findSiteEmbedding({ url: address });
  expect(found?.src).toBe(src);
  expect(found?.origin).toBe(new URL(src).origin);
});

test.each([
  'https://www.youtube.com/@channel',
  'https://www.youtube.com/watch?v=short',
  'https://www.youtube.com/watch?v=BSaF8KxnoLY"><script>',
  'https://youtu.be/',
  'https://www.youtube.com.example.org/watch?v=BSaF8KxnoLY',
  'https://notyoutube.com/watch?v=BSaF8KxnoLY',
  'https://vimeo.com/blog',
  'https://vimeo.com/76979871/about',
  'https://www.ted.com/playlists/171/the_most_popular_talks',
  'https://phet.colorado.edu/en/simulations/area-builder',
  'https://phet.colorado.edu/sims/html/../../secret.html?x=<script>',
  'https://wikibooks.org.example.org/wiki/X',
  'https://en.wikibooks.org/w/index.php?title=X&action=edit',
  'https://www.coursera.org/learn/nand2tetris2',
  'https://www.khanacademy.org/economics-finance-domain',
  'https://openstax.org/accounts/login',
  'https://tube.example.org/videos/embed/0a7c1e2f-1b2c-4d3e-8f90-0123456789ab',
  'https://h5p.org/interactive-video',
  'https://h5p.com.example.org/content/1290876454884163447/embed',
  'ftp://www.youtube.com/watch?v=BSaF8KxnoLY',
  'javascript:alert(1)',
  'no address',
  '',
])('%s is not framed', (address) => {
  expect(findSiteEmbedding({ url: address })).toBeNull();
});

test('gives the kind of content, for the size of the frame', () => {
  expect(findSiteEmbedding({ url: 'https://vimeo.com/76979871' })?.kind).toBe('video');
  expect(findSiteEmbedding({ url: 'https://scratch.mit.edu/projects/1' })?.kind).toBe('interactive');
  expect(findSiteEmbedding({ url: 'https://de.wikibooks.org/wiki/C' })?.kind).toBe('page');
});

test('the sources for Content-Security-Policy cover every frame', () => {
  const isCovered = (origin: string) =>
    embeddingSources.some((source) =>
      source.includes('*.') ? origin.endsWith(source.slice(source.indexOf('*.') + 1)) : source === origin,
    );
  expect(framed.filter(([, src]) => !isCovered(new URL(src).origin))).toEqual([]);
  expect(embeddingSources.every((source) => /^https:\/\/[\w.*-]+$/.test(source))).toBe(true);
});

test('the address of a frame gives the same frame as that of the page', () => {
  for (const [, src] of framed) expect(findSiteEmbedding({ url: src })?.src).toBe(src);
});

test('an embed of a catalogue is framed only where a site recognises it', () => {
  const course = 'https://courses.example.org/1';
  const embed = (address: string) => findSiteEmbedding({ url: course, embed: address })?.src;
  expect(embed('https://www.youtube.com/embed/BSaF8KxnoLY?autoplay=1')).toBe(`${NOCOOKIE}/BSaF8KxnoLY?rel=0`);
  expect(embed('https://evil.example.org/frame')).toBeUndefined();
  expect(embed('http://127.0.0.1/admin')).toBeUndefined();
  const other = { url: 'https://vimeo.com/76979871', embed: 'https://evil.example.org/frame' };
  expect(findSiteEmbedding(other)?.src).toBe('https://player.vimeo.com/video/76979871?dnt=1');
});

test.each([
  ['https://youtu.be/BSaF8KxnoLY?t=3', 'https://i.ytimg.com/vi/BSaF8KxnoLY/hqdefault.jpg'],
  [
    'https://phet.colorado.edu/sims/html/area-builder/latest/area-builder_all.html?locale=fr',
    'https://phet.colorado.edu/sims/html/area-builder/latest/area-builder-600.png',
  ],
  [
    'https://phet.colorado.edu/en/simulations/area-builder',
    'https://phet.colorado.edu/sims/html/area-builder/latest/area-builder-600.png',
  ],
  ['https://archive.org/details/some-lecture_01', 'https://archive.org/services/img/some-lecture_01'],
  ['https://scratch.mit.edu/projects/10128407', 'https://cdn2.scratch.mit.edu/get_image/project/10128407_480x360.png'],
  [
    'https://commons.wikimedia.org/wiki/File:Carte_des_climats.svg',
    'https://commons.wikimedia.org/wiki/Special:FilePath/Carte_des_climats.svg?width=640',
  ],
  [
    'https://www.youtube.com/embed/videoseries?list=PLuBK_vNnGp8ANspdZh_aRAa1InIhFlgm_',
    'https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fplaylist%3Flist%3DPLuBK_vNnGp8ANspdZh_aRAa1InIhFlgm_',
  ],
  [
    'https://player.vimeo.com/video/76979871?h=8272103f6e',
    'https://vimeo.com/api/oembed.json?format=json&url=https%3A%2F%2Fvimeo.com%2F76979871%2F8272103f6e',
  ],
  [
    'https://www.ted.com/talks/lang/fr/some_talk',
    'https://www.ted.com/services/v1/oembed.json?format=json&url=https%3A%2F%2Fwww.ted.com%2Ftalks%2Fsome_talk',
  ],
  [
    'https://tube.reseau-canope.fr/videos/embed/0a7c1e2f-1b2c-4d3e-8f90-0123456789ab',
    'https://tube.reseau-canope.fr/services/oembed?format=json&url=https%3A%2F%2Ftube.reseau-canope.fr%2Fvideos%2Fwatch%2F0a7c1e2f-1b2c-4d3e-8f90-0123456789ab',
  ],
  ['https://de.wikibooks.org/wiki/C', null],
  ['https://vimeo.com/blog', null],
])('the picture of %s follows from it', (url, picture) => {
  expect(findSitePictureSource({ url })).toBe(picture);
});

test('an object has its own picture, else that of its player', () => {
  const url = 'https://youtu.be/BSaF8KxnoLY';
  expect(findSitePictureSource({ url, picture: 'https://a.example/p.png' })).toBe('https://a.example/p.png');
  expect(findSitePictureSource({ url: 'https://courses.example.org/1', embed: url })).toContain('/BSaF8KxnoLY/');
});

test('a site whose pages always answer 200 has a witness address', () => {
  const ofVideo =
    'https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3DBSaF8KxnoLY';
  for (const url of ['https://youtu.be/BSaF8KxnoLY', 'https://www.youtube.com/watch?v=BSaF8KxnoLY&list=PLuBK_vNnGp8AN'])
    expect(findSiteContentWitness(url)).toBe(ofVideo);
  expect(findSiteContentWitness('https://www.youtube.com/@channel')).toBeNull();
  expect(findSiteContentWitness('https://phet.colorado.edu/en/simulations/neuron')).toBeNull();
  expect(findSiteContentWitness('not an address')).toBeNull();
});
