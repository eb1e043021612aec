/** Maximum number of characters in a subject. */
const mostCharacters = 72;

/** Imperatives with the ending of another verb form. All words that end in -ss or -eed are accepted, too. */
const imperatives = new Set([
  'alias',
  'bias',
  'bring',
  'embed',
  'focus',
  'ping',
  'ring',
  'shed',
  'spring',
  'string',
]);

/** Words that begin a sentence but never an imperative. */
const starters = new Set([
  'a',
  'an',
  'the',
  'this',
  'that',
  'these',
  'it',
  'its',
  'what',
  'who',
  'when',
  'no',
  'one',
]);

/** Returns the problems of a commit subject; empty if the subject follows the rules. */
export function subjectProblems(subject: string): readonly string[] {
  const problems: string[] = [];
  const { length } = subject;
  if (length > mostCharacters) problems.push(`has ${length} characters, more than ${mostCharacters}`);
  if (subject.endsWith('.')) problems.push('ends with a period');
  const [word = ''] = /^[A-Za-z]*/.exec(subject) ?? [];
  const lower = word.toLowerCase();
  if (lower === 'wip') problems.push('is marked as work in progress');
  else if (!isImperative(lower))
    problems.push(`does not begin with an imperative: "${word || subject.slice(0, 12)}"`);
  return problems;
}

function isImperative(word: string): boolean {
  if (imperatives.has(word) || /(?:ss|eed)$/.test(word)) return true;
  return word !== '' && !starters.has(word) && !/(?:ed|ing|s)$/.test(word);
}
