import { DatabaseError } from 'pg';
import { StoreError, type StoreProblem } from '../store-error.ts';
import { lookupTable } from '../lookup-table.ts';

/** Problems by SQLSTATE, or by its first two characters. */
const byState: Readonly<Record<string, StoreProblem>> = lookupTable({
  '28P01': 'password',
  '28000': 'password',
  '3D000': 'database',
  '25006': 'read-only',
  '53100': 'full',
  '53300': 'connections',
  '57014': 'timeout',
  '57P01': 'lost',
  '57P02': 'lost',
  '57P03': 'unreachable',
  '57P05': 'lost',
  '25P03': 'lost',
  '42501': 'permission',
  '42P01': 'incomplete',
  '42883': 'incomplete',
  '42703': 'incomplete',
  // ON CONFLICT without a unique key.
  '42P10': 'incomplete',
  '3F000': 'incomplete',
  '40001': 'busy',
  '40P01': 'busy',
  '55P03': 'busy',
  '08': 'lost',
});

/** Problems by the code of a failed connection. */
const byCode: Readonly<Record<string, StoreProblem>> = lookupTable({
  ECONNREFUSED: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'unreachable',
  ENOENT: 'unreachable',
  ECONNRESET: 'lost',
  EPIPE: 'lost',
});

/** Problems by the text of errors of the client library, which have no code. */
const byText: readonly (readonly [RegExp, StoreProblem])[] = [
  [
    /connection terminated unexpectedly|connection terminated$|connection ended|not queryable|client was closed/i,
    'lost',
  ],
  [
    /timeout expired|timeout exceeded when trying to connect|connection terminated due to connection timeout/i,
    'unreachable',
  ],
  [/query read timeout/i, 'timeout'],
  [/does not support SSL|certificate|self.signed|altname|SSL/i, 'tls'],
  [/password must be a string|no password|SASL|SCRAM/i, 'password'],
];

/** Problems by the text of errors of PgBouncer, which all have this SQLSTATE. */
const poolerState = '08P01';
const byPoolerText: readonly (readonly [RegExp, StoreProblem])[] = [
  [/no such database/, 'database'],
  [/no such user|authentication failed/, 'password'],
];

/** Returns the problem that an error of the client library reports; undefined for an error of ucctl. */
export function problemOf(error: unknown): StoreProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof StoreError) return error.problem;
  if (error instanceof DatabaseError) {
    const state = error.code ?? '';
    const ofPooler = byPoolerText.find(([text]) => state === poolerState && text.test(error.message));
    if (ofPooler) return ofPooler[1];
    return byState[state] ?? byState[state.slice(0, 2)] ?? 'failed';
  }
  if (error instanceof AggregateError && error.errors.length > 0) return problemOf(error.errors[0]);
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && byCode[code]) return byCode[code];
  if (code !== undefined && /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)/.test(code))
    return 'tls';
  return byText.find(([text]) => text.test(error.message))?.[1];
}

/** Converts an error of the client library to a StoreError; returns any other error unchanged. */
export function storeErrorOf(error: unknown, place: string): unknown {
  const problem = problemOf(error);
  if (problem === undefined || error instanceof StoreError) return error;
  const first = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
  const sqlState = error instanceof DatabaseError ? error.code : undefined;
  return new StoreError(problem, place, { report: first.message, sqlState, cause: error });
}
