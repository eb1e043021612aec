/** Work that continues after the reply to the request that began it. The console ends after it. */
export class BackgroundWork {
  readonly #running = new Set<Promise<unknown>>();

  add(work: Promise<unknown>): void {
    this.#running.add(work);
    const remove = (): void => void this.#running.delete(work);
    work.then(remove, remove);
  }

  /** Resolves when all work has ended, also with a failure. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
