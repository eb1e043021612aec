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

/** The query of an operation without a schema: its raw fields. */
type Query<K extends OperationId> = Shape<K, 'query', Readonly<Record<string, string | readonly string[]>>>;
/** The raw fields of a form without a schema; undefined for a body for several IDs. */
type Body<K extends OperationId> =
  | Shape<K, 'body', Table[K] extends { bodyType: 'form' } ? Readonly<Record<string, string>> : undefined>
  | (Table[K] extends { manyIds: string } ? undefined : never);
/** The operations that require a bearer token. */
type BearerOperationId = {
  [K in OperationId]: Table[K]['authorization'] extends 'bearer' ? K : never;
}[OperationId];

/** The app and the user that the bearer token of a request identifies. */
export interface Caller {
  readonly app: App;
  readonly extension: ExtensionRow;
  readonly sessionId: number;
  /**
   * An `account` session belongs to an app instead of a user. It acts as the main administrator of its account and
   * cannot use other accounts.
   */
  readonly session: SessionKind;
}

/** The parts of a request that access rules use: state, caller and path parameters. */
export interface Authorized {
  readonly world: World;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
}

/** One authorized and parsed request. */
export interface Call<K extends OperationId = BearerOperationId> {
  readonly world: World;
  /** Only operations that require a bearer token have a caller. */
  readonly caller: K extends BearerOperationId ? Caller : undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query<K>;
  readonly body: Body<K>;
  /** The items of a body for several IDs. */
  readonly batch: readonly BatchItem[] | undefined;
  /** The body as text; empty for a multipart operation. */
  readonly text: string;
  /** The body of a multipart operation as bytes. */
  readonly bytes: Uint8Array;
  readonly headers: Headers;
  /** Path of the request, without query. */
  readonly path: string;
}

/** The reply of a handler; `json` is validated against the contract. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  /** The bytes of a media file, whose content type is one of the headers. */
  readonly bytes?: Uint8Array;
  /** A large JSON text in pieces, which are generated while it is sent. */
  readonly jsonPieces?: Iterable<string>;
}
/**
 * A reply that waits for an external event: `wait` runs outside a transaction, its result runs in a new transaction.
 */
interface Pending {
  readonly wait: () => Promise<() => Reply>;
}
export type Handler<K extends OperationId> = (call: Call<K>) => Reply | Pending;
/** A check before query and body are read. @throws {ServiceError} */
export type Guard = (call: Authorized) => void;
/** The handler of an operation, with or without a check before query and body are read. */
export type Route<K extends OperationId> =
  | Handler<K>
  | { readonly guard: Guard; readonly handler: Handler<K> };
/** The routes of one domain. */
export type Routes = { readonly [K in OperationId]?: Route<K> };

/**
 * Returns the account of the path; `~` is the caller's account. @throws {ServiceError} CMN-102 for any other account;
 * 401 OAU-149 in an account session.
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

/** Returns the extension of the path; `~` is the caller. @throws {ServiceError} CMN-102 for an unknown extension. */
export function extensionOf(call: Authorized): ExtensionRow {
  const account = accountOf(call);
  const id = call.params['extensionId'];
  const extension = id === '~' ? call.caller.extension : call.world.extensions.byId(Number(id));
  if (extension?.accountId !== account.id) throw notFound('extensionId');
  return extension;
}

/** Returns the row ID of an opaque ID. An ID consists of digits; any other text becomes NaN, which matches no row. */
export function numberOf(id: string | undefined): number {
  return id !== undefined && /^\d+$/.test(id) ? Number(id) : Number.NaN;
}
