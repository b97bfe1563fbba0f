import { type LearningObjectType, learningObjectTypes } from '#domain/learning-object';

/** Words of catalogues (schema.org, DCMI, LOM and what people write) for our types, the more exact first. */
const patterns: readonly (readonly [pattern: RegExp, type: LearningObjectType])[] = [
  [/\bmooc\b|massive open/, 'mooc'],
  [/podcast|audio|\bsound\b|recorded talk/, 'podcast'],
  [/video|movie|moving ?image|film|webinar|screencast|lecture capture/, 'video'],
  [/serious ?game|\bgame\b/, 'serious game'],
  [/e-?book/, 'ebook'],
  [/\bbook|textbook|monograph/, 'book'],
  [/safety (?:data )?sheet/, 'safety sheet'],
  [/career|occupation|job profile/, 'career profile'],
  [
    /tutorial|how ?-?to|walkthrough|exercise|problem|lab(?:oratory)?\b|practical|lesson|self assessment|questionnaire/,
    'tutorial',
  ],
  [/distance|online ?(?:course|only)|e-?learning|course ?ware/, 'distance learning'],
  [/course|training|workshop|program|curriculum|formation|class\b|syllabus|seminar/, 'training'],
  [/software|application|simulation|simulator|interactive ?resource|\bapp\b|\btool\b/, 'app'],
  [
    /article|thesis|paper|report|preprint|essay|\btext\b|narrative|lecture|slide|presentation|blog|review|journal|periodical|dissertation/,
    'article',
  ],
  [/web ?site|web ?page|collection/, 'website'],
];

/** Which of our types words mean; undefined where none is known. */
export function readObjectType(words: readonly string[]): LearningObjectType | undefined {
  for (const word of words) {
    const spaced = word
      .slice(0, 200)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .replace(/[_/]+/g, ' ')
      .trim();
    const own = learningObjectTypes.find((type) => type === spaced);
    const known = own ?? patterns.find(([pattern]) => pattern.test(spaced))?.[1];
    if (known !== undefined) return known;
  }
  return undefined;
}
