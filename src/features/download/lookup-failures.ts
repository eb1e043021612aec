import { ApiError, ConnectionError, isAmbiguousStatus } from '../../errors/service.ts';
import { lacksPermission } from '../../errors/service-codes.ts';

/** Number of successive lookups without a result of the service after which the service counts as unavailable. */
const mostWithoutResult = 3;

/** The failed lookups of a run. They show whether the lookups of other items would fail in the same way. */
export class LookupFailures {
  readonly #kinds: ReadonlySet<string>;
  readonly #denied = new Map<string, { readonly error: unknown }>();
  #withoutResult = 0;
  #last: unknown;

  /** @param kinds the kinds of all items of the run, also of those that need no lookup */
  constructor(kinds: readonly string[]) {
    this.#kinds = new Set(kinds);
  }

  /**
   * Returns the error of an item that needs no request, because a permission for its kind is missing; undefined for other
   * items.
   * @throws the latest error if the lookups of all other items would fail, too.
   */
  next(kind: string): { readonly error: unknown } | undefined {
    const isEnd = this.#withoutResult >= mostWithoutResult || this.#denied.size === this.#kinds.size;
    if (isEnd) throw this.#last;
    return this.#denied.get(kind);
  }

  /** Stores the error of a lookup. */
  add(kind: string, error: unknown): void {
    this.#last = error;
    if (lacksPermission(error)) this.#denied.set(kind, { error });
    this.#withoutResult = hasNoResult(error) ? this.#withoutResult + 1 : 0;
  }

  /** Stores that a lookup succeeded. */
  succeed(): void {
    this.#withoutResult = 0;
  }
}

/** Whether the service did not reply, or could not process the request. */
function hasNoResult(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && isAmbiguousStatus(error.status));
}
