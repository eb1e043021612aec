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
  /** Where the present element begins in the present chunk; negative outside of one. */
  #elementFrom = -1;
  /** Where what is beside the records begins in the present chunk; negative inside of them. */
  #envelopeFrom = 0;
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
    const { length } = buffer;
    const records: string[] = [];
    this.#elementFrom = this.#inRecords && this.#depth > 2 ? 0 : -1;
    this.#envelopeFrom = this.#inRecords ? -1 : 0;
    // What an escape at the end of the last chunk escapes.
    let index = this.#escaped && length > 0 ? 1 : 0;
    if (length > 0) this.#escaped = false;
    while (index < length) {
      if (this.#inString) {
        index = this.#skipString(buffer, index);
        continue;
      }
      index += 1;
      const text = this.#outsideString(buffer, index);
      if (text !== undefined) records.push(text);
    }
    if (this.#elementFrom >= 0) this.#carry(buffer.subarray(this.#elementFrom));
    this.#addToEnvelope(buffer, this.#envelopeFrom, length);
    return records;
  }

  /** Takes the byte before `index`; gives the element that is complete with it. */
  #outsideString(buffer: Buffer, index: number): string | undefined {
    const byte = buffer[index - 1] ?? 0;
    if (byte === openBrace || byte === openBracket) this.#open(byte, buffer, index);
    else if (byte === closeBrace || byte === closeBracket) return this.#close(buffer, index);
    else if (byte > 0x20 && byte !== comma) {
      if (this.#inRecords && this.#depth === 2) throw notAnObject();
      this.#inString = byte === quote;
    }
    return undefined;
  }

  /** Most bytes are in strings: a loop of their own, which looks for nothing else. Answers where the string or the chunk ends. */
  #skipString(buffer: Buffer, from: number): number {
    const { length } = buffer;
    let index = from;
    while (index < length) {
      const byte = buffer[index];
      index += 1;
      if (byte === quote) {
        this.#inString = false;
        break;
      }
      if (byte === backslash) {
        if (index === length) this.#escaped = true;
        index += 1;
      }
    }
    return index;
  }

  /** An object or a list begins before `index`. */
  #open(byte: number, buffer: Buffer, index: number): void {
    if (this.#depth === 2 && this.#inRecords) {
      if (byte === openBracket) throw notAnObject();
      this.#elementFrom = index - 1;
    } else if (this.#depth === 1 && byte === openBracket) {
      this.#addToEnvelope(buffer, this.#envelopeFrom, index);
      this.#inRecords = recordsKey.test(this.#envelope.slice(-keyWindow - 1, -1));
      this.#envelopeFrom = this.#inRecords ? -1 : index;
    }
    this.#depth += 1;
  }

  /** An object or a list ends before `index`: the text of the element that it is, if it is one and not too large. */
  #close(buffer: Buffer, index: number): string | undefined {
    this.#depth -= 1;
    if (!this.#inRecords) return undefined;
    if (this.#depth === 1) {
      this.#inRecords = false;
      this.#envelopeFrom = index - 1;
    }
    if (this.#depth !== 2) return undefined;
    const text = this.#element(buffer, this.#elementFrom, index);
    this.#elementFrom = -1;
    return text;
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
