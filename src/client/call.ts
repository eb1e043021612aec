import type { HttpReply } from './http.ts';
import type { Resend } from './retry-policy.ts';
import type { ReplyShape } from './shapes/shape.ts';
import type { Hint } from '../errors/hint.ts';

/** Where access tokens come from. Implemented by src/auth; a fixed token needs only `current`. */
export interface AccessTokenSource {
  /** @throws {SignInRequiredError} when there is none. */
  current(): Promise<string>;
  /**
   * A newer token than `refused`, which the service answered with 401.
   * @throws {SignInRequiredError} when there is none to be had.
   */
  renew(refused: string): Promise<string>;
  /** The command that signs in again, for the report of a request that a newer token did not help. */
  signInCommand?(): Promise<Hint>;
}

/** A value of a query; of a list each item goes out by itself, and nothing for undefined. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** One request to the service. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Made by the `path` tag. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON; with `contentType` it is text, bytes or a stream of them, sent as they are. */
  readonly body?: unknown;
  /** Type of a body that is not JSON, such as `multipart/form-data; boundary=...`. */
  readonly contentType?: string | undefined;
  /** Further headers, in lower case. Another origin never gets to see them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The reply is a file and no JSON: it is asked for as it is, without packing. */
  readonly media?: boolean | undefined;
  /**
   * Whether doing it twice is worse than not knowing: sends a text, rings a phone, creates a thing. It goes on a connection of its own, never
   * again once a byte of it may have been read, and a lost answer is an OutcomeUnknownError.
   */
  readonly once?: boolean | undefined;
  /**
   * What its reply must be, whatever the status 2xx says: a proxy or a sign-in page of a network answers 200 for anything. Without it every
   * record or list is taken as it is.
   */
  readonly reply?: ReplyShape | undefined;
  /** When it may be sent again after a failure; by default GET, PUT and DELETE (not of messages) always, the rest only when unsent. */
  readonly resend?: Resend | undefined;
}

/** What is told of a reply beside its body. */
export interface ReplyFacts {
  readonly requestId: string | undefined;
  /** The service's own time, as its Date header has it. */
  readonly date: string | undefined;
}

/** A reply with an error status, as it came. */
export interface Refusal {
  readonly reply: HttpReply;
  readonly text: string;
}

/** What every resource method takes last. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for the service, instead of the client's. */
  readonly timeoutMilliseconds?: number | undefined;
  /** For what must happen once: refuses a second sending under the same key within 24 h, where outcomes are recorded. */
  readonly dedupeKey?: string | undefined;
  /** Shown each reply with an error status, before it is thrown. */
  readonly onRefusal?: ((refusal: Refusal) => void) | undefined;
  /** Told of the reply that came, refusals aside: for journals. */
  readonly onReply?: ((reply: ReplyFacts) => void) | undefined;
}
