import { randomUUID } from 'node:crypto';

/** A change that was previewed and not yet confirmed. */
export interface Plan {
  readonly id: string;
  /** The command line that was previewed. */
  readonly words: readonly string[];
  /**
   * The requests of the preview. A plan is rejected if the command would send different requests when the plan is run.
   */
  readonly preview: unknown;
  readonly expiresAt: number;
}

/** Time in milliseconds within which a plan can be run. */
const lifetime = 10 * 60_000;
/** Maximum number of stored plans. */
const maxPlans = 100;

/** The plans of one connection. Each can be run once, with the arguments of its preview. */
export class Plans {
  readonly #plans = new Map<string, Plan>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(words: readonly string[], preview: unknown): Plan {
    const plan = { id: `plan-${randomUUID()}`, words, preview, expiresAt: this.#now() + lifetime };
    this.#plans.set(plan.id, plan);
    const [oldest] = this.#plans.keys();
    if (this.#plans.size > maxPlans && oldest !== undefined) this.#plans.delete(oldest);
    return plan;
  }

  /** Removes a plan and returns it; undefined if it is unknown, was run, has expired, or has other arguments. */
  take(id: string, words: readonly string[]): Plan | undefined {
    const plan = this.#plans.get(id);
    if (!plan || JSON.stringify(plan.words) !== JSON.stringify(words)) return undefined;
    this.#plans.delete(id);
    return plan.expiresAt > this.#now() ? plan : undefined;
  }
}
