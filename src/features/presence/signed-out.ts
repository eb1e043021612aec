import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import { messageOf } from '../../errors/command.ts';
import { SignInRequiredError } from '../../errors/service.ts';
import type { Context } from '../../runtime/context.ts';
import { hasAvailability } from './availability.ts';

/** Whether an agent is signed out of a queue, by the ID of the agent or of the queue. */
export type SignedOut = ReadonlyMap<string, boolean>;

type Availability = readonly (readonly [id: string, accepts: boolean | undefined])[];

/**
 * Reads who is signed out of queues. Lists and boards are also of use without it, so the first failure is a warning, until a
 * request succeeds again. Reads nothing in a dialect without the availability in single queues.
 */
export class SignedOutReader {
  readonly #ctx: Pick<Context, 'settings' | 'signal' | 'out'>;
  readonly #api: Pick<Client, 'callQueues'>;
  #hasFailed = false;

  constructor(ctx: Pick<Context, 'settings' | 'signal' | 'out'>, api: Pick<Client, 'callQueues'>) {
    this.#ctx = ctx;
    this.#api = api;
  }

  /** Whether the last request failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Returns the agents of a queue; undefined if they were not read. @throws {SignInRequiredError} */
  agents(queueId: Id): Promise<SignedOut | undefined> {
    return this.#read(async (signal) => {
      const members = await this.#api.callQueues.availability(queueId, { signal });
      return members.map(({ member, acceptCurrentQueueCalls }) => [member.id, acceptCurrentQueueCalls]);
    });
  }

  /** Returns the queues of an agent; undefined if they were not read. @throws {SignInRequiredError} */
  queues(extensionId: Id): Promise<SignedOut | undefined> {
    return this.#read(async (signal) => {
      const queues = await this.#api.callQueues.availabilityOf(extensionId, { signal });
      return queues.map(({ callQueue, acceptCalls }) => [callQueue.id, acceptCalls]);
    });
  }

  async #read(request: (signal: AbortSignal) => Promise<Availability>): Promise<SignedOut | undefined> {
    if (!hasAvailability(this.#ctx)) return undefined;
    const { signal, out } = this.#ctx;
    try {
      const found = await request(signal);
      this.#hasFailed = false;
      return new Map(
        found.flatMap(([id, accepts]) => (accepts === undefined ? [] : [[id, !accepts] as const])),
      );
    } catch (error) {
      if (signal.aborted || error instanceof SignInRequiredError) throw error;
      if (!this.#hasFailed) out.warn(`it is unknown who is signed out of a queue: ${messageOf(error)}`);
      this.#hasFailed = true;
      return undefined;
    }
  }
}
