/** Readers of the inbox that wait for the next commit. */
export class CommitWaiters {
  readonly #waiting = new Set<() => void>();

  /** Resolves at the next commit, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }

  /** Resumes all readers that wait; called after a commit. */
  resume(): void {
    for (const done of this.#waiting) done();
  }
}
