import type { Members } from './shape.ts';
import type { Row, World } from './world.ts';

export interface ForeignRequest {
  readonly method: string;
  readonly url: URL;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One of several items that a request named. */
export interface Part {
  readonly id: string;
  readonly row: Row | undefined;
}

/** The answer of an operation, before it is written as a reply. */
export type Content =
  | { readonly kind: 'record'; readonly row: Row }
  | { readonly kind: 'list'; readonly rows: readonly Row[]; readonly further?: readonly Row[] }
  | { readonly kind: 'sync'; readonly rows: readonly Row[]; readonly info: Row }
  | { readonly kind: 'several'; readonly parts: readonly Part[] }
  | { readonly kind: 'nothing'; readonly status: 200 | 204 }
  | { readonly kind: 'media' }
  | { readonly kind: 'rejection'; readonly status: number; readonly code: string; readonly message: string };

/** The input from which an answer is made. */
export interface Asked {
  readonly request: ForeignRequest;
  readonly parameters: Readonly<Record<string, string>>;
  readonly world: World;
}

export type Answer = (asked: Asked) => Content;

export const done: Content = { kind: 'nothing', status: 204 };

export function rejection(status: number, code: string, message: string): Content {
  return { kind: 'rejection', status, code, message };
}

export function notFound(what: string): Content {
  return rejection(404, 'CMN-102', `Resource for parameter [${what}] is not found`);
}

export function recordOr404(row: Row | undefined, what: string): Content {
  return row ? { kind: 'record', row } : notFound(what);
}

/** The JSON object of a request; empty when the body is not a JSON object. */
export function bodyOf({ request }: Asked): Members {
  try {
    const value: unknown = JSON.parse(request.body);
    return typeof value === 'object' && value !== null ? (value as Members) : {};
  } catch {
    return {};
  }
}
