import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { maxPerPage } from '../../src/contract/limits.ts';
import type { Postgres } from '../../src/store/index.ts';
import type { Dice } from '../../test/support/dice.ts';
import { startUcctl, type Ended } from '../../test/support/process.ts';
import { type CallLogService, type ServedCall, serveCallLog } from './call-log-service.ts';

/** New calls before each run. They are spread over all pages. */
const newCalls = 40;
const changedCalls = 20;
/** Milliseconds before the start of the proof in which the calls begin. It is shorter than the overlap of a sync. */
const period = 20 * 3_600_000;
/** Milliseconds after the request of a page in which the kill occurs, so that it also occurs during transactions. */
const longestDelay = 80;

/** The differences between stored calls and calls of the service. */
export interface Compared {
  readonly equal: number;
  readonly lost: number;
  readonly doubled: number;
}

/** The calls of a service for several workers, which have a server each. */
export class ProofCalls {
  readonly #calls: ServedCall[] = [];
  readonly #accountId: string;
  readonly #start = Date.now() - period;
  #changes = 0;

  constructor(accountId: string, count: number, dice: Dice) {
    this.#accountId = accountId;
    for (let added = 0; added < count; added += 1) this.#add(dice);
  }

  /** The number of pages that a sync requests. */
  get pages(): number {
    return Math.ceil(this.#calls.length / maxPerPage);
  }

  serve(): Promise<CallLogService> {
    return serveCallLog(this.#calls, this.#accountId);
  }

  /** Adds and changes calls on all pages. */
  change(dice: Dice): void {
    for (let added = 0; added < newCalls; added += 1) this.#add(dice);
    for (let changed = 0; changed < changedCalls; changed += 1) {
      const index = dice.integer(0, this.#calls.length - 1);
      const call = this.#calls[index];
      this.#changes += 1;
      if (call)
        this.#calls[index] = {
          ...call,
          result: dice.pick(['Accepted', 'Missed', 'Voicemail']),
          changedAt: this.#start + period + this.#changes,
        };
    }
  }

  #add(dice: Dice): void {
    const startedAt = this.#start + dice.integer(0, period);
    const index = this.#calls.findLastIndex((call) => call.startedAt <= startedAt) + 1;
    const id = `c${this.#calls.length}`;
    this.#calls.splice(index, 0, { id, startedAt, changedAt: startedAt, result: 'Accepted' });
  }

  /** Compares the calls of the store with the service, row by row. */
  async compare(db: Postgres): Promise<Compared> {
    const rows = await db.query<{ text: string }>(
      "select concat_ws(' ', record_id, start_time, result, last_modified_time) as text from call_record",
    );
    const stored = new Set(rows.map(({ text }) => text));
    const isStored = ({ id, startedAt, changedAt, result }: ServedCall): boolean =>
      stored.has(`${id} ${new Date(startedAt).toISOString()} ${result} ${new Date(changedAt).toISOString()}`);
    const equal = this.#calls.filter(isStored).length;
    return { equal, lost: this.#calls.length - equal, doubled: rows.length - equal };
  }
}

/** One sync of the calls into a store. With `kill`, it is killed after the request of a page, counted from 1. */
export async function syncServedCalls(
  log: CallLogService,
  { url, folder, name }: { readonly url: string; readonly folder: string; readonly name: string },
  kill?: { readonly page: number; readonly dice: Dice },
): Promise<Ended> {
  const { child, ended } = startUcctl(['calllog', 'sync', '--store', url, '-q'], {
    env: { HOME: join(folder, name), UCCTL_BASE_URL: log.url, UCCTL_TOKEN: 'token-of-the-proof' },
  });
  let requested = 0;
  log.onPage = () => {
    requested += 1;
    if (requested === kill?.page)
      void pause(kill.dice.next() * longestDelay).then(() => child.kill('SIGKILL'));
  };
  return ended;
}
