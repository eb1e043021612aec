import type { z } from 'zod';

/** A refusal of the control surface: its own shape, not that of the service. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @throws {ControlError} 404 always. */
export function missing(what: string): never {
  throw new ControlError(404, 'not_found', `there is no ${what}`);
}

/** What is wrong with an input, in a sentence of our own: the schema library's texts are for programmers. */
export function issueText(issue: z.core.$ZodIssue | undefined): string {
  const where = issue?.path.join('.') ?? '';
  const field = where === '' ? 'the input' : where;
  if (issue === undefined) return `${field} is not valid`;
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${issue.keys.map((key) => `"${key}"`).join(', ')} is not an accepted field${where === '' ? '' : ` of ${where}`}`;
    case 'invalid_type':
      return issue.input === undefined
        ? `${field} is missing`
        : `${field} must be ${article(issue.expected)}`;
    case 'invalid_value':
      return `${field} must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.origin === 'string'
        ? `${field} must not be empty`
        : `${field} must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `${field} must have at most ${issue.maximum} characters`
        : `${field} must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`;
    case 'invalid_union':
    case 'invalid_format':
    case 'invalid_element':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'custom':
      break;
  }
  return ownText(issue, where) ?? `${field} is not valid`;
}

/** A text that a schema of ours gives; those of the library begin with "Invalid". */
function ownText(issue: z.core.$ZodIssue, where: string): string | undefined {
  if (issue.message.startsWith('Invalid')) return undefined;
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}

function article(type: string): string {
  const words: Readonly<Record<string, string>> = {
    string: 'a text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    record: 'an object',
    object: 'an object',
    array: 'a list',
  };
  return words[type] ?? `of type ${type}`;
}
