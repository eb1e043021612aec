/** The part of a reply that is sent before the connection is reset. */
export interface PartialReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly part: Uint8Array;
}

/** Thrown when a fault resets the connection, either immediately or within the body of the reply. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly reply: PartialReply | undefined;

  constructor(reply?: PartialReply) {
    super('the connection was reset by a fault');
    this.reply = reply;
  }
}
