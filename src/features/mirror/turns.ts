/** Runs work one after the other, in the order of the calls. A failure does not stop later work. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when all earlier work has ended. */
  take<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
