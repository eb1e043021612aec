import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../request/errors.ts';
import { fullSyncRequired } from '../messages/sync-token.ts';
import {
  type FaultRequest,
  type renewals,
  requestFaults,
  socketEventFaults,
  syncs,
} from './fault-request.ts';
import { Interrupted } from './interrupted.ts';

/** Default of `webhook-reorder`: longest wait for the next notification, in milliseconds. */
const defaultReorderWait = 5000;

/** Default HTTP status of a `status` fault. */
const defaultStatus = 503;

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

  /** Returns the faults that apply to this request. `extensions` returns the extensions in its path. */
  onRequest(operation: string, url: URL, extensions: () => readonly string[]): readonly Fault[] {
    if (this.#faults.length === 0) return [];
    const hasSyncToken = syncs.includes(operation) && url.searchParams.has('syncToken');
    return this.#hit((fault) => {
      if (!isRequestFault(fault.kind)) return false;
      if (fault.kind === 'invalid-sync-token' && !hasSyncToken) return false;
      if (fault.operation !== undefined && fault.operation !== operation) return false;
      return fault.extension === undefined || extensions().includes(fault.extension);
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
  for (const fault of faults) {
    const { kind, milliseconds } = fault;
    if (kind === 'latency') await delay(milliseconds ?? 1000, undefined, { ref: false });
    if (kind === 'reset-before') throw new Interrupted();
    if (kind === 'expired-token') throw new ServiceError(401, 'OAU-128', 'Access token expired');
    if (kind === 'invalid-sync-token') throw fullSyncRequired();
    if (kind === 'status') throw statusFault(fault);
  }
}

/** Published codes of errors by HTTP status (ERROR-9 to ERROR-20); other statuses have the code of their class. */
const statusCodes: Readonly<Record<number, string>> = {
  401: 'OAU-128',
  403: 'CMN-408',
  404: 'CMN-102',
  409: 'CMN-204',
  415: 'MSG-348',
  416: 'CMN-107',
  429: 'CMN-301',
  500: 'CMN-203',
  501: 'CMN-202',
};

/** Seconds that a client waits by default after a status 429. */
const defaultRetryAfter = 60;

function statusFault({ status = defaultStatus, retryAfter }: Fault): ServiceError {
  const seconds = retryAfter ?? (status === 429 ? defaultRetryAfter : undefined);
  const code = statusCodes[status] ?? (status >= 500 ? 'CMN-201' : 'CMN-101');
  return new ServiceError(
    status,
    code,
    status === 429 ? 'Request rate exceeded' : 'Fault injected in the sandbox',
    {
      ...(status === 403 && { outerCode: 'InsufficientPermissions' }),
      ...(seconds !== undefined && { headers: { 'retry-after': String(seconds) } }),
    },
  );
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
