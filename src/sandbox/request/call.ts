import type { z } from 'zod';
import type { OperationId, operations } from '../../contract/operations.ts';
import type { BatchItem } from './batch-request.ts';
import { notFound, unauthorized } from './errors.ts';
import type { App } from '../oauth/app-store.ts';
import type { AccountRow } from '../directory/account-store.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { SessionKind } from '../oauth/session-store.ts';
import type { World } from '../world/world.ts';

type Table = typeof operations;
type Shape<K extends OperationId, Field extends 'query' | 'body', Without> =
  Table[K] extends Record<Field, infer S> ? (S extends z.ZodType ? z.infer<S> : Without) : Without;

/** A query without a schema: its fields as they came. */
type Query<K extends OperationId> = Shape<K, 'query', Readonly<Record<string, string | readonly string[]>>>;
/** A form without a schema: its fields as they came. With a body for several ids there is none for one. */
type Body<K extends OperationId> =
  | Shape<K, 'body', Table[K] extends { bodyType: 'form' } ? Readonly<Record<string, string>> : undefined>
  | (Table[K] extends { manyIds: string } ? undefined : never);
/** The operations that ask for a bearer token. */
type BearerOperationId = {
  [K in OperationId]: Table[K]['authorization'] extends 'bearer' ? K : never;
}[OperationId];

/** Who is calling. */
export interface Caller {
  readonly app: App;
  readonly extension: ExtensionRow;
  readonly sessionId: number;
  /** An `account` session is an app's own: it acts as the account's main administrator, and for no other account. */
  readonly session: SessionKind;
}

/** What the rules about access need of a request: the state, the caller, and the parameters of the path. */
export interface Authorized {
  readonly world: World;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
}

/** One authorized and parsed request. */
export interface Call<K extends OperationId = BearerOperationId> {
  readonly world: World;
  /** Only the operations that ask for a bearer token have a caller. */
  readonly caller: K extends BearerOperationId ? Caller : undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query<K>;
  readonly body: Body<K>;
  /** The items of a body for several ids. */
  readonly batch: readonly BatchItem[] | undefined;
  /** The body as it came; empty for a multipart operation. */
  readonly text: string;
  /** The bytes of a multipart operation's body. */
  readonly bytes: Uint8Array;
  readonly headers: Headers;
  /** Path as it was asked for, without query. */
  readonly path: string;
}

/** What a handler answers; `json` is checked against the contract. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  /** Media, with its own content-type among the headers. */
  readonly bytes?: Uint8Array;
  /** A JSON text too large to be built at once, in pieces that are asked for one after the other. */
  readonly jsonPieces?: Iterable<string>;
}
/** A reply that has to wait for something outside: `wait` runs without a transaction, what it returns runs in a new one. */
interface Pending {
  readonly wait: () => Promise<() => Reply>;
}
export type Handler<K extends OperationId> = (call: Call<K>) => Reply | Pending;
/** What must be allowed before anybody looks at what was sent. @throws {ServiceError} */
export type Guard = (call: Authorized) => void;
/** How an operation is served: by its handler alone, or by a check that comes before query and body are read, and the handler. */
export type Route<K extends OperationId> =
  | Handler<K>
  | { readonly guard: Guard; readonly handler: Handler<K> };
/** The operations that one domain serves. */
export type Routes = { readonly [K in OperationId]?: Route<K> };

/**
 * The account of the path; `~` is the caller's.
 * @throws {ServiceError} CMN-102 for any other; 401 OAU-149 in an account-centric session.
 */
export function accountOf(call: Authorized): AccountRow {
  const own = call.caller.extension.accountId;
  const id = call.params['accountId'];
  const account = id === '~' || id === String(own) ? call.world.accounts.byId(own) : undefined;
  if (!account && call.caller.session === 'account') {
    throw unauthorized('OAU-149', 'The session is tied to another account');
  }
  if (!account) throw notFound('accountId');
  return account;
}

/**
 * The extension of the path; `~` is the caller.
 * @throws {ServiceError} CMN-102 for an unknown one.
 */
export function extensionOf(call: Authorized): ExtensionRow {
  const account = accountOf(call);
  const id = call.params['extensionId'];
  const extension = id === '~' ? call.caller.extension : call.world.extensions.byId(Number(id));
  if (extension?.accountId !== account.id) throw notFound('extensionId');
  return extension;
}

/** The row that an opaque id stands for: only this service knows that its own are digits. NaN, which no row has, for any other. */
export function numberOf(id: string | undefined): number {
  return id !== undefined && /^\d+$/.test(id) ? Number(id) : Number.NaN;
}
