import { ApiError, ConnectionError, isAmbiguousStatus } from '../../errors/service.ts';
import { lacksPermission } from '../../errors/service-codes.ts';

/** Number of successive lookups without a result of the service after which another item of the list is tried. */
const mostWithoutResult = 3;

/**
 * The items of a run in the order in which they are processed. The failed lookups show whether the lookups of other items
 * would fail in the same way.
 */
export class LookupQueue<T extends { readonly kind: string }> {
  /** The items that were not taken, last item first. */
  #pending: T[];
  readonly #kinds: ReadonlySet<string>;
  readonly #choose: (count: number) => number;
  readonly #denied = new Map<string, { readonly error: unknown }>();
  #withoutResult = 0;
  #untried = 0;
  #last: unknown;

  /**
   * @param otherKinds the kinds of items that the run finds without this list
   * @param choose returns the number of the item to try after several lookups without a result: 0 is the last item of the list
   */
  constructor(
    items: readonly T[],
    otherKinds: readonly string[],
    choose: (count: number) => number = () => 0,
  ) {
    this.#choose = choose;
    this.#pending = items.toReversed();
    this.#kinds = new Set([...items.map(({ kind }) => kind), ...otherKinds]);
  }

  /** The number of items that were not tried, because their lookups would fail, too. */
  get untried(): number {
    return this.#untried;
  }

  /** The number of items that were not taken. */
  get left(): number {
    return this.#pending.length;
  }

  /** The error of the latest lookup that failed. */
  get last(): unknown {
    return this.#last;
  }

  /**
   * Returns the next item; undefined if there is none. After several lookups without a result, this is the last or another item
   * that needs a lookup: its result shows whether the service is available. Items in a row that always fail therefore do
   * not end the run.
   */
  take(): T | undefined {
    if (this.#withoutResult === mostWithoutResult) {
      const candidates = this.#pending.filter((item) => this.#needsRequest(item));
      const chosen = candidates.length > 0 ? candidates[this.#choose(candidates.length)] : undefined;
      if (chosen !== undefined) return this.#pending.splice(this.#pending.indexOf(chosen), 1)[0];
    }
    return this.#pending.pop();
  }

  /** Returns the error of an item that needs no request, because a permission for its kind is missing; undefined for other items. */
  denied(kind: string): { readonly error: unknown } | undefined {
    return this.#denied.get(kind);
  }

  /** Stores the error of a lookup. Removes the items whose lookups would fail, too. */
  fail(kind: string, error: unknown): void {
    this.#last = error;
    if (lacksPermission(error)) this.#denied.set(kind, { error });
    this.#withoutResult = hasNoResult(error) ? this.#withoutResult + 1 : 0;
    if (this.#denied.size === this.#kinds.size) this.#retain(() => false);
    else if (this.#withoutResult > mostWithoutResult) this.#retain((item) => !this.#needsRequest(item));
  }

  /** Stores that a lookup succeeded. */
  succeed(): void {
    this.#withoutResult = 0;
  }

  #retain(isTried: (item: T) => boolean): void {
    const rest = this.#pending.filter((item) => isTried(item));
    this.#untried += this.#pending.length - rest.length;
    this.#pending = rest;
  }

  #needsRequest({ kind }: T): boolean {
    return needsLookup(kind) && !this.#denied.has(kind);
  }
}

/** Whether an item needs a request before its download. An address does not. */
export function needsLookup(kind: string): boolean {
  return kind !== 'uri';
}

/** Whether the service did not reply, or could not process the request. */
function hasNoResult(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && isAmbiguousStatus(error.status));
}
