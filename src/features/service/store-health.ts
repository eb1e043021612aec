import type { Queries } from '../../platform/postgres/postgres.ts';
import type { Context } from '../../runtime/context.ts';
import { pingStore } from './ping-store.ts';

/** Whether a process can use its store. Each change is reported once to the user. */
export class StoreHealth {
  readonly #ctx: Context;
  readonly #db: Queries;
  #problem: string | undefined;

  constructor(ctx: Context, db: Queries) {
    this.#ctx = ctx;
    this.#db = db;
  }

  /**
   * Records the result of the last statement. @param problem the reason of a failure; undefined if the store
   * works.
   */
  readonly changed = (problem: string | undefined): void => {
    this.#problem = problem;
    if (problem === undefined) this.#ctx.out.note('The store is available again.');
    else this.#ctx.out.warn(`the store is not available: ${problem}; retrying`);
  };

  /** Checks the store, unless it is known not to work. @returns the problem; undefined if it works. */
  readonly check = async (): Promise<string | undefined> => this.#problem ?? pingStore(this.#db);
}
