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
    const sent = this.#written.then(() => this.#streams.write(serializeMessage(message)));
    this.#written = sent.catch(() => undefined);
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
      return;
    }
    this.onmessage?.(message);
  }

  #fail(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    void this.close();
  }
}
