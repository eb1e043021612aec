/** JSON Schema (2020-12), as far as outputs need it. */
export type Schema = Readonly<Record<string, unknown>>;

/** What a command writes as JSON. */
export interface CommandOutput {
  /** One document, a record a line as it comes, or nothing of ours. */
  readonly gives: 'document' | 'lines' | 'nothing';
  readonly schema: Schema;
}

/** The outputs of a noun's commands, by their words without `ucctl`. */
export type Outputs = Readonly<Record<string, CommandOutput>>;

export const text: Schema = { type: 'string' };
export const time: Schema = { type: 'string', format: 'date-time' };
export const integer: Schema = { type: 'integer' };
export const number: Schema = { type: 'number' };
export const flag: Schema = { type: 'boolean' };
export const anything: Schema = {};
/** An id: a number while it is exact, else its digits. */
export const id: Schema = { type: ['integer', 'string'] };

/** One of these words. */
export function oneOf(...values: readonly string[]): Schema {
  return { enum: values };
}

/** A list of things of one shape. */
export function array(items: Schema): Schema {
  return { type: 'array', items };
}

/** One of several shapes. */
export function anyOf(...schemas: readonly Schema[]): Schema {
  return { anyOf: schemas };
}

/** A member that is there and may be null. */
export function nullable(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

interface Optional {
  readonly optional: Schema;
}

/** A member that may be missing. */
export function optional(schema: Schema): Optional {
  return { optional: schema };
}

/** An object with these members; what later versions add to it breaks nobody. */
export function object(members: Readonly<Record<string, Schema | Optional>>): Schema {
  const entries = Object.entries(members);
  const required = entries.filter(([, member]) => !isOptional(member)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, member]) => [name, isOptional(member) ? member.optional : member]),
    ),
    ...(required.length > 0 && { required }),
  };
}

function isOptional(member: Schema | Optional): member is Optional {
  return 'optional' in member;
}

/** An object whose members have names of their own and all the same shape. */
export function mapOf(schema: Schema): Schema {
  return { type: 'object', additionalProperties: schema };
}

/** A resource of the service as its contract has it, perhaps with more members. */
export function resource(name: string, more?: Readonly<Record<string, Schema | Optional>>): Schema {
  const reference = { $ref: `#/$defs/${name}` };
  return more ? { allOf: [reference, object(more)] } : reference;
}

/** A command that writes one document. */
export function record(schema: Schema): CommandOutput {
  return { gives: 'document', schema };
}

/** A command that writes a list as one document. */
export function list(items: Schema): CommandOutput {
  return record(array(items));
}

/** Live events, and lists that are written as they are read: each line is one record. */
export function lines(schema: Schema): CommandOutput {
  return { gives: 'lines', schema };
}

export const nothing: CommandOutput = { gives: 'nothing', schema: { not: {} } };

/** A person on a board of presences (`queue watch`, `presence watch`). */
export const boardRow: Schema = object({
  extensionId: text,
  extensionNumber: optional(text),
  name: text,
  state: text,
  reason: optional(text),
  takesQueueCalls: optional(flag),
  since: time,
  presenceStatus: optional(text),
  telephonyStatus: optional(text),
  userStatus: optional(text),
  meetingStatus: optional(text),
  dndStatus: optional(text),
  message: optional(text),
});
