import type { Feedback, LearningService } from '../ports/learning-service.ts';

export interface FeedbackService {
  /** Errors: REQUEST_ID_INVALID. */
  giveFeedback(feedback: Feedback): Promise<void>;
}

/** What people say of learning objects goes to the service that found them, which keeps it. */
export function createFeedbackService(learning: LearningService): FeedbackService {
  return { giveFeedback: (feedback) => learning.feedback(feedback) };
}
