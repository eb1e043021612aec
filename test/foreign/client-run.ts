import { buildClient, type Client } from '../../src/client/index.ts';
import { dialects } from '../../src/contract/dialects.ts';
import { rowsIn, type ClientCase } from './client-cases.ts';
import { agrees } from './agrees.ts';
import { foreignHttp } from './in-process.ts';
import { Dice } from '../support/dice.ts';
import { disallowedFor } from './service/disallowed.ts';
import type { Content } from './service/content.ts';
import type { RecordShape } from './service/shape.ts';
import { ForeignService } from './service/foreign-service.ts';

/** The result of one call of the client. */
export interface ClientReport {
  readonly replies: number;
  /** A description of the fault; undefined when there is none. */
  readonly fault?: string | undefined;
  readonly kind?: 'false success' | 'crash' | 'allowed rejected' | 'wrong end' | 'wrong value' | undefined;
}

export const foreignOrigin = 'https://foreign.example';
export const foreignNow = Date.UTC(2026, 0, 5, 9);
/** Errors that the client documents; any other error is a fault of the client. */
const expectedErrors = new Set([
  'ApiError',
  'ReplyError',
  'OutcomeUnknownError',
  'ConnectionError',
  'UntrustedHostError',
]);

function clientOf(service: ForeignService, dialect: keyof typeof dialects): Client {
  let now = foreignNow;
  return buildClient({
    http: foreignHttp(service),
    baseUrl: new URL(foreignOrigin),
    tokens: { current: () => Promise.resolve('token'), renew: () => Promise.resolve('newer') },
    userAgent: 'foreign-harness',
    timeoutMilliseconds: 1000,
    dialect: dialects[dialect],
    timing: {
      now: () => now,
      sleep: (milliseconds) => {
        now += milliseconds;
        return Promise.resolve();
      },
      random: () => 0.5,
    },
  });
}

function serviceOf(seed: number): ForeignService {
  return new ForeignService({ seed, setting: { origin: foreignOrigin, now: foreignNow } });
}

/** The operation that receives the disallowed replies in a dialect. */
function operationOf(it: ClientCase, dialect: keyof typeof dialects): ClientCase['operation'] {
  return dialect === 'current' ? (it.current ?? it.operation) : it.operation;
}

function dialectOf(seed: number): keyof typeof dialects {
  return seed % 2 === 0 ? 'spec' : 'current';
}

/** One call whose replies are all allowed: it must return exactly what was served. */
export async function runAllowed(name: string, it: ClientCase, seed: number): Promise<ClientReport> {
  const service = serviceOf(seed);
  const decisive = operationOf(it, dialectOf(seed));
  try {
    const result = await it.call(clientOf(service, dialectOf(seed)), service);
    const replies = service.exchanges.length;
    if (it.isOpen) return { replies };
    const served = service.exchanges.filter(({ operation }) => operation === decisive);
    const rows = served.flatMap((exchange) => exchange.rows);
    const shape = served.flatMap(({ content }) => shapesOf(content))[0];
    const got = rowsIn(result);
    const wrong = shape && rows.map((row) => agrees(shape, row, got)).find((text) => text !== undefined);
    return wrong === undefined
      ? { replies }
      : { replies, kind: 'wrong value', fault: `${name}, seed ${seed}: ${wrong}` };
  } catch (error) {
    return {
      replies: service.exchanges.length,
      kind: 'allowed rejected',
      fault: `${name}, seed ${seed}: ${wordsOf(error)}`,
    };
  }
}

/** The shapes of the rows in an answer. */
export function shapesOf(content: Content): readonly RecordShape[] {
  if (content.kind === 'record') return [content.row.shape];
  if (content.kind === 'list') return content.rows.map(({ shape }) => shape);
  return content.kind === 'several' ? content.parts.flatMap(({ row }) => (row ? [row.shape] : [])) : [];
}

/** One call whose decisive reply is disallowed: it must end with an error that reports this. */
export async function runDisallowed(name: string, it: ClientCase, seed: number): Promise<ClientReport> {
  const service = serviceOf(seed);
  const dice = new Dice(`disallowed ${name} ${seed}`);
  let chosen = '';
  service.mischief = ({ operation, content, request }) => {
    const choice = operation === operationOf(it, dialectOf(seed)) ? disallowedFor(content, request) : [];
    const allowed = choice.filter((entry) => !(it.believes ?? []).includes(entry.name));
    if (allowed.length === 0) return undefined;
    const entry = dice.pick(allowed);
    chosen = entry.name;
    return entry;
  };
  const about = (): string => `${name}, seed ${seed}, ${chosen}`;
  const fault = (kind: ClientReport['kind'], words: string): ClientReport => ({
    replies: service.exchanges.length,
    kind,
    fault: `${about()}: ${words}`,
  });
  try {
    const result = await it.call(clientOf(service, dialectOf(seed)), service);
    if (chosen === '' || it.isOpen || saysNothing(result)) return { replies: service.exchanges.length };
    return fault('false success', JSON.stringify(result ?? null).slice(0, 200));
  } catch (error) {
    if (it.isOpen) return { replies: service.exchanges.length };
    if (!(error instanceof Error) || !expectedErrors.has(error.name)) return fault('crash', wordsOf(error));
    if (it.ends === 'unknown' && error.name !== 'OutcomeUnknownError')
      return fault('wrong end', wordsOf(error));
    return { replies: service.exchanges.length };
  }
}

/** Whether a result for several ids claims nothing about any of them. */
function saysNothing(result: unknown): boolean {
  if (!Array.isArray(result) || result.length === 0) return false;
  return result.every((item: unknown) => {
    if (typeof item !== 'object' || item === null || !('status' in item)) return false;
    return typeof item.status !== 'number' || item.status >= 300;
  });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
