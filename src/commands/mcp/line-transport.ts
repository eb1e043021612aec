import {
  deserializeMessage,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';

/** The streams of the connection. */
export interface LineStreams {
  lines(): AsyncIterable<string>;
  write(text: string): Promise<void>;
}

/** The connection to the client: one JSON message per line, on standard input and output. */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the connection is closed by either side. */
  readonly closed: Promise<void>;
  readonly #streams: LineStreams;
  #isClosed = false;
  #resolveClosed: () => void = () => undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(streams: LineStreams) {
    this.#streams = streams;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  start(): Promise<void> {
    this.#read().catch((error: unknown) => this.#fail(error));
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(serializeMessage(message));
  }

  #write(text: string): Promise<void> {
    const sent = this.#written.then(() => this.#streams.write(text));
    // After a failed write, the client does not get the replies of later calls either.
    this.#written = sent.catch(() => void this.close());
    return sent;
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
      void this.#written.then(this.#resolveClosed);
    }
    return this.#written;
  }

  async #read(): Promise<void> {
    for await (const line of this.#streams.lines()) {
      if (this.#isClosed) return;
      if (line.trim() !== '') this.#take(line);
    }
    await this.close();
  }

  #take(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      this.#reject(error instanceof SyntaxError);
      return;
    }
    this.onmessage?.(message);
  }

  /** Replies to a line that is not a message, so that its sender does not wait. Its ID is unknown. */
  #reject(isNotJson: boolean): void {
    const error = isNotJson
      ? { code: -32_700, message: 'Parse error' }
      : { code: -32_600, message: 'Invalid Request' };
    const line = JSON.stringify({ jsonrpc: '2.0', id: null, error });
    this.#write(`${line}\n`).catch((failed: unknown) => this.#fail(failed));
  }

  #fail(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    void this.close();
  }
}
