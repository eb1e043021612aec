import type { z } from 'zod';
import type { ControlContext } from './control-context.ts';

/** A reply: JSON, plain text, or a complete Response. */
type ControlReply = object | string | undefined;

/** One operation of the control API. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path of the operation below the prefix, with `:name` for each parameter. */
  readonly path: string;
  /** Schema of the JSON body, or of the query of a GET or DELETE. */
  readonly input?: z.ZodType;
  readonly run: (
    context: ControlContext,
    input: unknown,
    params: Readonly<Record<string, string>>,
  ) => ControlReply | Promise<object | undefined>;
}

/** Checks at compile time that a function takes the input that the schema describes. */
export function route<S extends z.ZodType>(
  method: ControlRoute['method'],
  path: string,
  input: S,
  run: (
    context: ControlContext,
    input: z.infer<S>,
    params: Readonly<Record<string, string>>,
  ) => ReturnType<ControlRoute['run']>,
): ControlRoute {
  return { method, path, input, run: run as ControlRoute['run'] };
}
