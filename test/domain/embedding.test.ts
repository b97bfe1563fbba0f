import { expect, test } from 'vitest';
import { embeddingSources, findEmbedding } from '../../src/domain/embedding.ts';

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
] as const;

test.each(framed)('%s is framed as %s', (address, src) => {
  const found = findEmbedding(address);
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
  'ftp://www.youtube.com/watch?v=BSaF8KxnoLY',
  'javascript:alert(1)',
  'no address',
  '',
])('%s is not framed', (address) => {
  expect(findEmbedding(address)).toBeNull();
});

test('says what it is, so that it gets the right place', () => {
  expect(findEmbedding('https://vimeo.com/76979871')?.kind).toBe('video');
  expect(findEmbedding('https://scratch.mit.edu/projects/1')?.kind).toBe('interactive');
  expect(findEmbedding('https://de.wikibooks.org/wiki/C')?.kind).toBe('page');
});

test('the sources for the policy of a page cover every frame', () => {
  const isCovered = (origin: string) =>
    embeddingSources.some((source) =>
      source.includes('*.') ? origin.endsWith(source.slice(source.indexOf('*.') + 1)) : source === origin,
    );
  expect(framed.filter(([, src]) => !isCovered(new URL(src).origin))).toEqual([]);
  expect(embeddingSources.every((source) => /^https:\/\/[\w.*-]+$/.test(source))).toBe(true);
});
