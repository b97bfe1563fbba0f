import { expect, test } from 'vitest';
import { manyObjects, serviceWith } from './scripted-service.ts';
import { startLearn } from './start-learn.ts';

const preferences = { lang: 'fr', level: 'beginner', types: ['video'], providers: ['youtube'] } as const;

test('any removes a preference, filter by filter', async () => {
  const service = serviceWith(manyObjects(2));
  const { command } = await startLearn(service, { preferences });
  await command('python lang:any type:Tous');
  expect(service.queries[0]).toMatchObject({ types: [], providers: ['youtube'], levelMax: -0.2 });
  expect(service.queries[0]!.lang).toBeUndefined();
  await command('python level:any provider:all');
  expect(service.queries.at(-1)).toMatchObject({ lang: 'fr', types: ['video'], providers: [] });
  expect(service.queries.at(-1)).not.toHaveProperty('levelMax');
});

test('any beside another value is that value', async () => {
  const service = serviceWith(manyObjects(2));
  const { command } = await startLearn(service, { preferences });
  await command('python type:article type:any');
  expect(service.queries[0]).toMatchObject({ types: ['article'] });
});
