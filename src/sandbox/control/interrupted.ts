/** What of a reply still goes out before the connection ends. */
export interface CutReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly part: Uint8Array;
}

/** A reply that a fault keeps from its client: the connection is reset, at once or within the body. No bug of the sandbox. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly reply: CutReply | undefined;

  constructor(reply?: CutReply) {
    super('the connection was reset by a fault');
    this.reply = reply;
  }
}
