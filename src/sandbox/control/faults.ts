import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { operations, type Operation } from '../../contract/operations.ts';
import { ServiceError } from '../request/errors.ts';
import { fullSyncRequired } from '../messages/sync-token.ts';
import { Interrupted } from './interrupted.ts';

const requestFaults = [
  'status',
  'latency',
  'reset-before',
  'reset-after',
  'cut-body',
  'bad-json',
  'expired-token',
  'invalid-sync-token',
] as const;
/** Of PUT and renew of a subscription. */
const renewalFaults = ['renew-changes'] as const;
const renewals = ['renewSubscription', 'updateSubscription'] as const;
const webhookFaults = ['webhook-duplicate', 'webhook-drop', 'webhook-delay', 'webhook-reorder'] as const;

/** Those that take a sync token. */
const syncs = Object.entries(operations).flatMap(([id, { query }]: [string, Operation]) =>
  query instanceof z.ZodObject && 'syncToken' in query.shape ? [id] : [],
);

/** Operations that alone can fail in a way; the others could not answer so. */
const operationsOf: Readonly<Record<string, readonly string[]>> = {
  'invalid-sync-token': syncs,
  'renew-changes': renewals,
};

/** Wait for an overtaking notification, unless the fault says how long. */
const longestHold = 5000;

/** A fault as it is asked for. */
export const FaultRequest = z
  .strictObject({
    kind: z.enum([...requestFaults, ...renewalFaults, ...webhookFaults]),
    /** Operation of the contract; every one when absent. Webhook faults have none. */
    operation: z
      .string()
      .refine(
        (id) => Object.hasOwn(operations, id),
        'is no operation of the service; they are in /openapi.json',
      )
      .optional(),
    /** For `status`. */
    status: z.int().min(400).max(599).optional(),
    /** For `latency` and `webhook-delay`; the longest wait of `webhook-reorder`. */
    milliseconds: z.int().min(0).max(600_000).optional(),
    /** Matching requests that pass before the first that is hit. */
    after: z.int().min(0).default(0),
    /** How many are hit; 0 for all. */
    times: z.int().min(0).default(1),
    /** Share of the matching requests that is hit, by a sequence that follows from the seed. */
    probability: z.number().min(0).max(1).default(1),
  })
  .superRefine(({ kind, operation }, context) => {
    const able = operationsOf[kind];
    if (operation === undefined || !able || able.includes(operation)) return;
    context.addIssue({
      code: 'custom',
      path: ['operation'],
      message: `cannot fail so; ${able.join(', ')} can`,
    });
  });
type FaultRequest = z.infer<typeof FaultRequest>;

export interface Fault extends FaultRequest {
  readonly id: number;
  readonly seen: number;
  readonly hits: number;
}

/** Deterministic faults. They live as long as the process and are no part of the state. */
export class Faults {
  readonly #seed: number;
  #faults: Fault[] = [];
  #count = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  list(): readonly Fault[] {
    return this.#faults;
  }

  add(request: FaultRequest): Fault {
    this.#count += 1;
    const fault = { ...request, id: this.#count, seen: 0, hits: 0 };
    this.#faults.push(fault);
    return fault;
  }

  /** All of them without an id. */
  remove(id?: number): void {
    this.#faults = id === undefined ? [] : this.#faults.filter((fault) => fault.id !== id);
  }

  /** Those that hit this request. */
  onRequest(operation: string, url: URL): readonly Fault[] {
    if (this.#faults.length === 0) return [];
    const hasSyncToken = syncs.includes(operation) && url.searchParams.has('syncToken');
    return this.#hit((fault) => {
      if (fault.kind.startsWith('webhook-') || fault.kind === 'renew-changes') return false;
      if (fault.kind === 'invalid-sync-token' && !hasSyncToken) return false;
      return fault.operation === undefined || fault.operation === operation;
    });
  }

  /** Whether one changes the parameters of this renewal. */
  onRenewal(operation: (typeof renewals)[number]): boolean {
    if (this.#faults.length === 0) return false;
    const hit = this.#hit(
      (fault) =>
        fault.kind === 'renew-changes' && (fault.operation === undefined || fault.operation === operation),
    );
    return hit.length > 0;
  }

  /** Those that hit this delivery. */
  onDelivery(): readonly Fault[] {
    if (this.#faults.length === 0) return [];
    return this.#hit((fault) => fault.kind.startsWith('webhook-') && fault.kind !== 'webhook-reorder');
  }

  /** How long, in milliseconds, this delivery waits for the next one of its subscription to overtake it; undefined: not at all. */
  onReorder(): number | undefined {
    if (this.#faults.length === 0) return undefined;
    const [fault] = this.#hit(({ kind }) => kind === 'webhook-reorder');
    return fault && (fault.milliseconds ?? longestHold);
  }

  #hit(matches: (fault: Fault) => boolean): readonly Fault[] {
    const hit: Fault[] = [];
    this.#faults = this.#faults.map((fault) => {
      if (!matches(fault)) return fault;
      const seen = fault.seen + 1;
      const due = seen > fault.after && (fault.times === 0 || fault.hits < fault.times);
      if (!due || this.#roll(fault.id, seen) >= fault.probability) return { ...fault, seen };
      const after = { ...fault, seen, hits: fault.hits + 1 };
      hit.push(after);
      return after;
    });
    return hit;
  }

  /** From 0 to 1, the same for the same seed. */
  #roll(id: number, seen: number): number {
    const hash = createHash('sha256').update(`fault:${this.#seed}:${id}:${seen}`).digest();
    return hash.readUInt32BE(0) / 2 ** 32;
  }
}

/**
 * What faults do before a request is processed.
 * @throws {ServiceError | Interrupted} when they keep it from being processed.
 */
export async function faultsBefore(faults: readonly Fault[]): Promise<void> {
  for (const { kind, milliseconds, status } of faults) {
    if (kind === 'latency') await delay(milliseconds ?? 1000, undefined, { ref: false });
    if (kind === 'reset-before') throw new Interrupted();
    if (kind === 'expired-token') throw new ServiceError(401, 'OAU-128', 'Access token expired');
    if (kind === 'invalid-sync-token') throw fullSyncRequired();
    if (kind === 'status') throw statusFault(status ?? 503);
  }
}

function statusFault(status: number): ServiceError {
  if (status === 429) {
    const headers = { 'retry-after': '60' };
    return new ServiceError(429, 'CMN-301', 'Request rate exceeded', { headers });
  }
  const code = status >= 500 ? 'CMN-201' : 'CMN-101';
  return new ServiceError(status, code, 'A fault of the sandbox, as asked for');
}

/** What faults make of a reply. @throws {Interrupted} when the client must not get it. */
export async function faultsAfter(faults: readonly Fault[], response: Response): Promise<Response> {
  for (const { kind } of faults) {
    if (kind === 'reset-after') throw new Interrupted();
    if (kind !== 'cut-body' && kind !== 'bad-json') continue;
    const whole = new Uint8Array(await response.arrayBuffer());
    const headers = Object.fromEntries(response.headers);
    const part = whole.slice(0, Math.floor(whole.length / 2));
    if (kind === 'bad-json') return new Response(part, { status: response.status, headers });
    const length = String(whole.length);
    throw new Interrupted({
      status: response.status,
      headers: { ...headers, 'content-length': length },
      part,
    });
  }
  return response;
}
