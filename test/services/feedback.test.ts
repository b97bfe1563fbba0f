import { expect, test } from 'vitest';
import { createFeedbackService } from '../../src/services/feedback.ts';
import { createFakeLearningService, KNOWN_REQUEST_ID } from '../fakes/learning-service.ts';

const feedback = {
  url: 'https://example.org/python',
  requestId: KNOWN_REQUEST_ID,
  email: 'ada@example.org',
  source: 'https://school.example.org',
};

test('feedback reaches the service that found the object', async () => {
  const learning = createFakeLearningService();
  await createFeedbackService(learning).giveFeedback(feedback);
  expect(learning.calls.feedback).toEqual([feedback]);
});

test('feedback on a search that was not made here is refused', async () => {
  const learning = createFakeLearningService();
  const given = createFeedbackService(learning).giveFeedback({ ...feedback, requestId: 'made-up' });
  await expect(given).rejects.toMatchObject({ code: 'REQUEST_ID_INVALID' });
  expect(learning.calls.feedback).toEqual([]);
});
