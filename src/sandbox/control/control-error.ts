import type { z } from 'zod';

/** An error reply of the control API. Its format differs from the error replies of the service. */
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

/**
 * Always throws a 404. `what` names the missing thing with its value, e.g. `snapshot before`. @throws {ControlError}
 */
export function controlNotFound(what: string, more = ''): never {
  throw new ControlError(404, 'not_found', `${what} not found${more}`);
}

type Issue = z.core.$ZodIssue;

/**
 * Describes an issue of the schema library for the user of a command: the messages of the library are written for
 * programmers.
 */
export function issueText(issue: Issue | undefined): string {
  const where = issue?.path.join('.') ?? '';
  const field = where === '' ? 'the input' : where;
  if (issue === undefined) return `${field} is not a valid value`;
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => `"${key}"`).join(', ');
    return `${keys} is not a valid field${where === '' ? '' : ` of ${where}`}`;
  }
  const rule = ruleOf(issue);
  if (rule !== undefined) return `${field} ${rule}`;
  return schemaMessage(issue, where) ?? `${field} is not a valid value`;
}

/** Returns the rule that the value violates, as a text that follows the name of the field. */
function ruleOf(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${typeName(issue.expected)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return lowerLimit(issue);
    case 'too_big':
      return upperLimit(issue);
    case 'unrecognized_keys':
    case 'invalid_union':
    case 'invalid_format':
    case 'invalid_element':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'custom':
      break;
  }
  return undefined;
}

function lowerLimit({ origin, inclusive, minimum }: z.core.$ZodIssueTooSmall): string {
  if (origin === 'string') return 'must not be empty';
  return `must be ${inclusive ? 'at least' : 'more than'} ${minimum}`;
}

function upperLimit({ origin, inclusive, maximum }: z.core.$ZodIssueTooBig): string {
  if (origin === 'string') return `must have at most ${maximum} characters`;
  return `must be ${inclusive ? 'at most' : 'less than'} ${maximum}`;
}

/** Returns the message of a schema of the sandbox; messages of the library begin with "Invalid". */
function schemaMessage(issue: Issue, where: string): string | undefined {
  if (issue.message.startsWith('Invalid')) return undefined;
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}

function typeName(type: string): string {
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
