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

/** What is wrong with an input, for people: the first thing that its schema says. */
export function issueText(issue: z.core.$ZodIssue | undefined): string {
  const where = issue?.path.join('.') ?? '';
  const what = issue?.message ?? 'invalid';
  if (issue?.code === 'invalid_type' && what.endsWith('received undefined')) return `${where} is missing`;
  return where === '' ? what : `${where}: ${what}`;
}
