import type { z } from 'zod';
import type { DialectName } from '../dialects.ts';
import type { CurrentPermission, RateGroup } from '../enums.ts';

/** One endpoint of the service, as documented in docs/spec. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for each parameter. */
  readonly path: string;
  /** Group of the operation in the OpenAPI document. */
  readonly section: string;
  readonly summary: string;
  /** How the caller authenticates: with a bearer token, with the application's Basic header, or not at all. */
  readonly authorization: 'bearer' | 'client' | 'none';
  /** Permission that the application needs; absent if it needs none. */
  readonly permission?: CurrentPermission;
  readonly group?: RateGroup;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Type of the request body. Default: `json`. */
  readonly bodyType?: 'json' | 'form' | 'multipart';
  /** Whether a JSON body may also be the envelope of a multipart body with files (SMS-9). */
  readonly files?: boolean;
  /** Other spellings of the path with the same meaning (RINGOUT-4). */
  readonly aliases?: readonly string[];
  /** The dialects that have the operation; absent for both. */
  readonly dialects?: readonly DialectName[];
  /** The members that differ in dialect `current`. A path replaces `path` and all `aliases`. */
  readonly current?: {
    readonly path?: string;
    readonly permission?: CurrentPermission;
    readonly bodyOptional?: boolean;
    readonly query?: z.ZodType;
    readonly body?: z.ZodType;
  };
  /**
   * Path parameter that takes several IDs, separated by commas. The reply is then a 207, and a body has an item for
   * each ID (contract/batch).
   */
  readonly manyIds?: string;
  /** Whether the body lists the IDs if the path contains `*` instead of IDs (BATCH-2). */
  readonly idsInBody?: boolean;
  /** Whether older deployments ignore the query. */
  readonly queryMayBeDropped?: boolean;
  /** Whether the reply is media instead of JSON. */
  readonly media?: boolean;
  /** Maximum size of the body in bytes; absent for the usual limit. */
  readonly bodyBytes?: number;
  /** Whether the request body is optional. */
  readonly bodyOptional?: boolean;
  readonly status: 200 | 201 | 202 | 204 | 302;
  /** Schema of the reply; absent for a reply without JSON. */
  readonly reply?: z.ZodType;
}
