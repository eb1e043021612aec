/** A request that `--dry-run` did not send. */
export interface DryRunRequest {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  /** Headers in addition to the usual ones. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Media type of a body that is not JSON. */
  readonly contentType?: string | undefined;
  /** The text of a body that is not JSON. Binary parts are replaced by their size. */
  readonly text?: string | undefined;
}

/** Thrown by the transport during a dry run instead of sending a request that would make a change. */
export class DryRunStop extends Error {
  override readonly name = 'DryRunStop';
  readonly request: DryRunRequest;
  /** Whether the requests are those of a list, so that a single request is shown as a list, too. */
  isList = false;
  readonly #before: readonly DryRunRequest[];
  readonly #count: number;

  /** @param before the unsent requests before this one. The caller may append to this list, but not change it otherwise. */
  constructor(request: DryRunRequest, before: readonly DryRunRequest[] = []) {
    super(`dry run: ${request.method} ${request.url} was not sent`);
    this.request = request;
    this.#before = before;
    this.#count = before.length;
  }

  /**
   * All unsent requests of this run so far, with `request` last. A command that continues with its next request shows
   * them together. The list is copied only when it is read, because a list of texts makes an error for each request.
   */
  get all(): readonly DryRunRequest[] {
    return [...this.#before.slice(0, this.#count), this.request];
  }
}
