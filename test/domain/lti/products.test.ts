import { describe, expect, test } from 'vitest';
import { getProductTraits, recogniseProduct } from '../../../src/domain/lti/products.ts';
import { ltiProducts } from '../../../src/domain/lti/registration.ts';

describe('recogniseProduct', () => {
  test.each([
    ['moodle', 'https://school.example', 'moodle'],
    ['canvas', 'https://canvas.instructure.com', null],
    ['canvas', 'https://canvas.beta.instructure.com', null],
    ['canvas', 'https://canvas.school.example', 'canvas'],
    ['blackboard', 'https://blackboard.com', null],
    ['blackboard', 'https://school.example', 'BlackboardLearn'],
    ['brightspace', 'https://school.brightspace.com', null],
    ['brightspace', 'https://learn.school.example', 'desire2learn'],
    ['sakai', 'https://school.example', 'sakai'],
    ['generic', 'https://school.example', null],
    ['generic', 'https://school.example', 'openedx'],
    ['generic', 'https://canvas.instructure.com.evil.example', null],
    ['generic', 'https://evil.example/canvas.instructure.com', 'not-canvas'],
  ] as const)('finds %s by %s and %s', (product, issuer, family) => {
    expect(recogniseProduct({ issuer, family }).product).toBe(product);
  });
});

describe.each(ltiProducts)('%s', (product) => {
  const traits = getProductTraits(product);

  test('is of its product', () => {
    expect(traits.product).toBe(product);
    expect(traits.name).not.toBe('');
  });

  test('has limits that placements keep to', () => {
    expect(traits.maxTitleLength).toBeLessThanOrEqual(255);
    expect(traits.maxPoints).toBeLessThanOrEqual(100);
  });

  test('lets objects be chosen somewhere', () => {
    expect(traits.registration.placements.deepLinking.length).toBeGreaterThan(0);
  });
});

test('a Canvas score makes no other submission', () => {
  expect(getProductTraits('canvas').scoreExtras).toEqual({
    'https://canvas.instructure.com/lti/submission': { new_submission: false },
  });
});

test('Brightspace wants its own audience', () => {
  expect(getProductTraits('brightspace').tokenAudience).toBe('https://api.brightspace.com/auth/token');
});
