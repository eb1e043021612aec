import type { ServerResponse } from 'node:http';

type Body = string | Uint8Array | undefined;

/** Sends what was answered in one turn of the event loop together: the first reply wakes whoever waits for it, the others find them awake. */
export class ReplyQueue {
  #due: { readonly outgoing: ServerResponse; readonly body: Body }[] = [];

  /** Ends a reply whose head is written. */
  end(outgoing: ServerResponse, body?: Body): void {
    // What shared a commit comes together anyway.
    if (outgoing.req.method !== 'GET') {
      outgoing.end(body);
      return;
    }
    this.#due.push({ outgoing, body });
    if (this.#due.length === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const due = this.#due;
    this.#due = [];
    for (const { outgoing, body } of due) outgoing.end(body);
  }
}
