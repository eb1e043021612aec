const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

/** `records` as a key, directly before its array: a quote after a brace or a comma can only open a key. */
const recordsKey = /[{,]\s*"records"\s*:\s*$/;
/** Longest end of the envelope that is looked at for that key. */
const keyWindow = 256;
/** Kept of an element that is too large, to learn its id. */
const headBytes = 4096;

export interface SplitterLimits {
  /** Largest element of `records`, in bytes; a larger one is skipped and told. */
  readonly maxElementBytes: number;
  /** Everything beside the elements, in bytes. */
  readonly maxEnvelopeBytes: number;
}

const defaultLimits: SplitterLimits = { maxElementBytes: 8 * 1024 * 1024, maxEnvelopeBytes: 1024 * 1024 };

/** An element of `records` that was beyond the limit: its first bytes and its length. */
export interface OversizeElement {
  readonly head: string;
  readonly bytes: number;
}

/** The reply ended early or is not what a sync answers. Nothing of it may be kept. */
export class BrokenReplyError extends Error {
  override readonly name = 'BrokenReplyError';
}

/**
 * Cuts one JSON object with an array `records` into the texts of its elements while it arrives, in memory that does not grow with it. What is
 * beside the elements (`uri`, `syncInfo`) is collected and parsed at the end.
 */
export class RecordSplitter {
  readonly #limits: SplitterLimits;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inRecords = false;
  #started = false;
  #envelope = '';
  #carried: Buffer[] = [];
  #carriedBytes = 0;
  #oversize: OversizeElement[] = [];

  constructor(limits: Partial<SplitterLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  /**
   * Takes the next bytes and gives the elements that are complete with them.
   * @throws {BrokenReplyError} an element is no object, or the envelope is too large.
   */
  push(chunk: Uint8Array): readonly string[] {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const records: string[] = [];
    let inString = this.#inString;
    let escaped = this.#escaped;
    let depth = this.#depth;
    let inRecords = this.#inRecords;
    let elementFrom = inRecords && depth > 2 ? 0 : -1;
    let envelopeFrom = inRecords ? -1 : 0;
    const { length } = buffer;
    // What an escape at the end of the last chunk escapes.
    let index = escaped && length > 0 ? 1 : 0;
    if (length > 0) escaped = false;
    while (index < length) {
      if (inString) {
        // Most bytes are in strings: a loop of their own, which looks for nothing else.
        while (index < length) {
          const byte = buffer[index];
          index += 1;
          if (byte === quote) {
            inString = false;
            break;
          }
          if (byte === backslash) {
            if (index === length) escaped = true;
            index += 1;
          }
        }
        continue;
      }
      const byte = buffer[index];
      index += 1;
      if (byte === quote) {
        if (depth === 2 && inRecords) throw notAnObject();
        inString = true;
      } else if (byte === openBrace || byte === openBracket) {
        if (depth === 2 && inRecords) {
          if (byte === openBracket) throw notAnObject();
          elementFrom = index - 1;
        } else if (depth === 1 && byte === openBracket) {
          this.#addToEnvelope(buffer, envelopeFrom, index);
          inRecords = recordsKey.test(this.#envelope.slice(-keyWindow - 1, -1));
          envelopeFrom = inRecords ? -1 : index;
        }
        depth += 1;
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
        if (!inRecords) continue;
        if (depth === 2) {
          const text = this.#element(buffer, elementFrom, index);
          if (text !== undefined) records.push(text);
          elementFrom = -1;
        } else if (depth === 1) {
          inRecords = false;
          envelopeFrom = index - 1;
        }
      } else if (depth === 2 && inRecords && byte !== undefined && byte > 0x20 && byte !== comma) {
        throw notAnObject();
      }
    }
    if (elementFrom >= 0) this.#carry(buffer.subarray(elementFrom));
    this.#addToEnvelope(buffer, envelopeFrom, buffer.length);
    this.#inString = inString;
    this.#escaped = escaped;
    this.#depth = depth;
    this.#inRecords = inRecords;
    return records;
  }

  /** Elements that were skipped since the last call. */
  takeOversize(): readonly OversizeElement[] {
    return this.#oversize.splice(0);
  }

  /**
   * The object without its records.
   * @throws {BrokenReplyError} the reply is cut off or is no such object.
   */
  end(): Readonly<Record<string, unknown>> {
    if (!this.#started) throw new BrokenReplyError('the reply has no body');
    if (this.#depth > 0 || this.#inString) throw new BrokenReplyError('the reply was cut off before its end');
    try {
      const envelope = JSON.parse(Buffer.from(this.#envelope, 'latin1').toString()) as unknown;
      if (
        typeof envelope === 'object' &&
        envelope !== null &&
        Array.isArray(Reflect.get(envelope, 'records'))
      )
        return envelope as Record<string, unknown>;
    } catch (cause) {
      throw new BrokenReplyError('the reply is not JSON', { cause });
    }
    throw new BrokenReplyError('the reply has no list "records"');
  }

  #addToEnvelope(buffer: Buffer, from: number, to: number): void {
    if (from < 0 || from >= to) return;
    this.#started = true;
    // Bytes, so that a character on the border of two chunks stays whole; decoded when parsed.
    this.#envelope += buffer.toString('latin1', from, to);
    if (this.#envelope.length > this.#limits.maxEnvelopeBytes) {
      throw new BrokenReplyError('the reply is too large beside its records');
    }
  }

  #element(buffer: Buffer, from: number, to: number): string | undefined {
    if (this.#carriedBytes === 0) {
      if (to - from <= this.#limits.maxElementBytes) return buffer.toString('utf8', from, to);
    }
    this.#carry(buffer.subarray(from, to));
    const whole = Buffer.concat(this.#carried);
    const bytes = this.#carriedBytes;
    this.#carried = [];
    this.#carriedBytes = 0;
    if (bytes <= this.#limits.maxElementBytes) return whole.toString('utf8');
    this.#oversize.push({ head: whole.toString('utf8', 0, headBytes), bytes });
    return undefined;
  }

  #carry(piece: Buffer): void {
    this.#carriedBytes += piece.length;
    if (this.#carriedBytes <= this.#limits.maxElementBytes) {
      this.#carried.push(Buffer.from(piece));
    } else {
      const kept = Buffer.concat([...this.#carried, piece.subarray(0, headBytes)]).subarray(0, headBytes);
      this.#carried = [Buffer.from(kept)];
    }
  }
}

function notAnObject(): BrokenReplyError {
  return new BrokenReplyError('an element of "records" is no object');
}
