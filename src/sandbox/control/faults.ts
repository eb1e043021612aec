import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { operations, type Operation } from '../../contract/operations.ts';
import { ServiceError } from '../request/errors.ts';
import { fullSyncRequired } from '../messages/sync-token.ts';
import { Interrupted } from './interrupted.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

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
/** Kinds of faults for the PUT and renew operations of subscriptions. */
const renewalFaults = ['renew-changes'] as const;
const renewals = ['renewSubscription', 'updateSubscription'] as const;
/** Faults of events that a WebSocket sends. */
const socketEventFaults = [
  'socket-drop',
  'socket-delay',
  'socket-split',
  'socket-duplicate',
  'socket-idle',
  'socket-absolute',
] as const;
/** Other faults of a WebSocket: no reply to pings and heartbeats, a failed recovery, a rejected upgrade. */
const socketFaults = ['socket-no-pong', 'socket-no-recovery', 'socket-reject'] as const;
const webhookFaults = ['webhook-duplicate', 'webhook-drop', 'webhook-delay', 'webhook-reorder'] as const;

/** All kinds of faults. */
export const faultKinds = [
  ...requestFaults,
  ...renewalFaults,
  ...webhookFaults,
  ...socketEventFaults,
  ...socketFaults,
] as const;

/** Operations that accept a sync token. */
const syncs = Object.entries(operations).flatMap(([id, { query }]: [string, Operation]) =>
  query instanceof z.ZodObject && 'syncToken' in query.shape ? [id] : [],
);

/** The operations to which a kind of fault is limited. */
const operationsOf: Readonly<Record<string, readonly string[]>> = lookupTable({
  'invalid-sync-token': syncs,
  'renew-changes': renewals,
});

/** Default of `webhook-reorder`: longest wait for the next notification, in milliseconds. */
const defaultReorderWait = 5000;

/** Default HTTP status of a `status` fault. */
const defaultStatus = 503;

/** The input of a new fault. */
export const FaultRequest = z
  .strictObject({
    kind: z.enum(faultKinds),
    /**
     * ID of an operation of the contract; without an ID, the fault applies to all operations. Faults of webhooks and
     * WebSockets have no operation.
     */
    operation: z
      .string()
      .refine((id) => Object.hasOwn(operations, id), {
        error: ({ input }) =>
          `"${String(input)}" is not a valid operation ID; /openapi.json lists all operation IDs`,
      })
      .optional(),
    /** HTTP status to return; only for the kinds `status` and `socket-reject`. */
    status: z.int().min(400).max(599).optional(),
    /** Delay of the kinds `latency`, `webhook-delay` and `socket-delay`, or longest wait of `webhook-reorder`. */
    milliseconds: z.int().min(0).max(600_000).optional(),
    /** Number of matching requests that succeed before the first request fails. */
    after: z.int().min(0).default(0),
    /** Number of requests that fail; 0 means all requests. */
    times: z.int().min(0).default(1),
    /** Share of the matching requests that fail, chosen by the seed. */
    probability: z.number().min(0).max(1).default(1),
  })
  .superRefine(({ kind, operation }, context) => {
    const allowed = operationsOf[kind];
    if (operation === undefined || !allowed || allowed.includes(operation)) return;
    context.addIssue({
      code: 'custom',
      path: ['operation'],
      message: `${kind} applies only to ${allowed.join(', ')}`,
    });
  });
type FaultRequest = z.infer<typeof FaultRequest>;

export interface Fault extends FaultRequest {
  readonly id: number;
  readonly seen: number;
  readonly hits: number;
}

/** The faults in effect. Faults are deterministic, exist only in memory, and are not part of the saved state. */
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
    const { kind, status = hasStatus(kind) ? defaultStatus : undefined } = request;
    const fault = {
      ...request,
      ...(status !== undefined && { status }),
      id: this.#count,
      seen: 0,
      hits: 0,
    };
    this.#faults.push(fault);
    return fault;
  }

  /** Removes one fault, or without an ID all faults. */
  remove(id?: number): void {
    this.#faults = id === undefined ? [] : this.#faults.filter((fault) => fault.id !== id);
  }

  /** Returns the faults that apply to this request. */
  onRequest(operation: string, url: URL): readonly Fault[] {
    if (this.#faults.length === 0) return [];
    const hasSyncToken = syncs.includes(operation) && url.searchParams.has('syncToken');
    return this.#hit((fault) => {
      if (!isRequestFault(fault.kind)) return false;
      if (fault.kind === 'invalid-sync-token' && !hasSyncToken) return false;
      return fault.operation === undefined || fault.operation === operation;
    });
  }

  /** Whether a fault changes the parameters of this renewal. */
  onRenewal(operation: (typeof renewals)[number]): boolean {
    if (this.#faults.length === 0) return false;
    const hit = this.#hit(
      (fault) =>
        fault.kind === 'renew-changes' && (fault.operation === undefined || fault.operation === operation),
    );
    return hit.length > 0;
  }

  /** Returns the faults that apply to this delivery. */
  onDelivery(): readonly Fault[] {
    if (this.#faults.length === 0) return [];
    return this.#hit((fault) => fault.kind.startsWith('webhook-') && fault.kind !== 'webhook-reorder');
  }

  /**
   * Milliseconds that this delivery waits, so that the next delivery of its subscription overtakes it; undefined if it
   * does not wait.
   */
  onReorder(): number | undefined {
    if (this.#faults.length === 0) return undefined;
    const [fault] = this.#hit(({ kind }) => kind === 'webhook-reorder');
    return fault && (fault.milliseconds ?? defaultReorderWait);
  }

  /** Returns the faults that apply to this event of a WebSocket. */
  onSocketEvent(): readonly Fault[] {
    if (this.#faults.length === 0) return [];
    return this.#hit(({ kind }) => (socketEventFaults as readonly string[]).includes(kind));
  }

  /** Whether this ping or heartbeat of a client gets no reply. */
  onSocketPong(): boolean {
    return this.#faults.length > 0 && this.#hit(({ kind }) => kind === 'socket-no-pong').length > 0;
  }

  /** Whether this recovery of a session fails. */
  onSocketRecovery(): boolean {
    return this.#faults.length > 0 && this.#hit(({ kind }) => kind === 'socket-no-recovery').length > 0;
  }

  /** Returns the HTTP status that rejects this upgrade to a WebSocket. */
  onSocketUpgrade(): number | undefined {
    if (this.#faults.length === 0) return undefined;
    const [fault] = this.#hit(({ kind }) => kind === 'socket-reject');
    return fault && (fault.status ?? defaultStatus);
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

  /** Returns a pseudo-random number from 0 to 1 that depends only on the seed, the fault and the request. */
  #roll(id: number, seen: number): number {
    const hash = createHash('sha256').update(`fault:${this.#seed}:${id}:${seen}`).digest();
    return hash.readUInt32BE(0) / 2 ** 32;
  }
}

function isRequestFault(kind: Fault['kind']): boolean {
  return (requestFaults as readonly string[]).includes(kind);
}

/** Whether a kind of fault answers with an HTTP status. */
function hasStatus(kind: Fault['kind']): boolean {
  return kind === 'status' || kind === 'socket-reject';
}

/**
 * Applies faults before a request is processed.
 * @throws {ServiceError | Interrupted} if a fault prevents the processing.
 */
export async function faultsBefore(faults: readonly Fault[]): Promise<void> {
  for (const { kind, milliseconds, status } of faults) {
    if (kind === 'latency') await delay(milliseconds ?? 1000, undefined, { ref: false });
    if (kind === 'reset-before') throw new Interrupted();
    if (kind === 'expired-token') throw new ServiceError(401, 'OAU-128', 'Access token expired');
    if (kind === 'invalid-sync-token') throw fullSyncRequired();
    if (kind === 'status') throw statusFault(status ?? defaultStatus);
  }
}

function statusFault(status: number): ServiceError {
  if (status === 429) {
    const headers = { 'retry-after': '60' };
    return new ServiceError(429, 'CMN-301', 'Request rate exceeded', { headers });
  }
  const code = status >= 500 ? 'CMN-201' : 'CMN-101';
  return new ServiceError(status, code, 'Fault injected in the sandbox');
}

/** Applies faults to a reply. @throws {Interrupted} if the client must not receive the complete reply. */
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
