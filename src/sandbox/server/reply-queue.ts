import type { ServerResponse } from 'node:http';
// Fake timers of a test replace the global function, but not an imported one.
import { setImmediate } from 'node:timers';

type Body = string | Uint8Array | undefined;

/** Sends all replies of one turn of the event loop at the same time, so that clients on this machine are woken once. */
export class ReplyQueue {
  #due: { readonly outgoing: ServerResponse; readonly body: Body }[] = [];

  /** Queues the body of a reply whose headers are already written. */
  end(outgoing: ServerResponse, body?: Body): void {
    // Requests that share a commit are answered in the same turn, so their replies need no queue.
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
