/** The mailboxes to sync next. A mailbox that is marked several times is returned once. */
export class DueMailboxes {
  readonly #ids = new Set<string>();
  #all = false;
  #wake: () => void = () => undefined;

  mark(extensionId: string): void {
    this.#ids.add(extensionId);
    this.#wake();
  }

  markAll(): void {
    this.#all = true;
    this.#wake();
  }

  /** Resolves when a mailbox is due, or the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.#all || this.#ids.size > 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = () => {
        signal.removeEventListener('abort', this.#wake);
        resolve();
      };
      signal.addEventListener('abort', this.#wake);
    });
  }

  /** Returns the mailboxes that are due and clears them. */
  take(): 'all' | ReadonlySet<string> {
    const taken = this.#all ? ('all' as const) : new Set(this.#ids);
    this.#all = false;
    this.#ids.clear();
    return taken;
  }
}
