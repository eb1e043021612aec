const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

/** Matches the key `records` directly before its array. A quote after a brace or comma can only open a key. */
const recordsKey = /[{,]\s*"records"\s*:\s*$/;
/** Number of characters at the end of the envelope in which the key `records` is searched. */
const keyWindow = 256;
/** Number of bytes of an oversize element that are retained to read its ID. */
const headBytes = 4096;

export interface SplitterLimits {
  /** Maximum size of an element of `records`, in bytes. A larger element is skipped and reported. */
  readonly maxElementBytes: number;
  /** Maximum size of the reply without its records, in bytes. */
  readonly maxEnvelopeBytes: number;
}

const defaultLimits: SplitterLimits = { maxElementBytes: 8 * 1024 * 1024, maxEnvelopeBytes: 1024 * 1024 };

/** An element of `records` above the size limit: its first bytes and its length. */
export interface OversizeElement {
  readonly head: string;
  readonly bytes: number;
}

/** The error for a reply that ended early or is not a sync reply. No part of such a reply may be stored. */
export class BrokenReplyError extends Error {
  override readonly name = 'BrokenReplyError';
}

/**
 * Splits a JSON object with an array `records` into the texts of its elements while it arrives, with constant memory.
 * The rest of the object (`uri`, `syncInfo`) is collected and parsed when the reply is complete.
 */
export class RecordSplitter {
  readonly #limits: SplitterLimits;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inRecords = false;
  #started = false;
  /** Start of the current element in the current chunk; negative outside an element. */
  #elementFrom = -1;
  /** Start of the envelope in the current chunk; negative inside `records`. */
  #envelopeFrom = 0;
  #envelope = '';
  #buffered: Buffer[] = [];
  #bufferedBytes = 0;
  #oversize: OversizeElement[] = [];

  constructor(limits: Partial<SplitterLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  /**
   * Reads the next bytes and returns the elements that they complete.
   * @throws {BrokenReplyError} an element is not an object, or the envelope is too large.
   */
  push(chunk: Uint8Array): readonly string[] {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const { length } = buffer;
    const records: string[] = [];
    this.#elementFrom = this.#inRecords && this.#depth > 2 ? 0 : -1;
    this.#envelopeFrom = this.#inRecords ? -1 : 0;
    // If the last chunk ended with an escape, the escaped character is skipped.
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
    if (this.#elementFrom >= 0) this.#buffer(buffer.subarray(this.#elementFrom));
    this.#addToEnvelope(buffer, this.#envelopeFrom, length);
    return records;
  }

  /** Reads the byte before `index`; returns the element that it completes. */
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

  /**
   * Returns the index where the string or the chunk ends. This is a separate tight loop, because most bytes are in
   * strings.
   */
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

  /** Handles the start of an object or array before `index`. */
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

  /**
   * Handles the end of an object or array before `index`; returns the text of a completed element that is not too
   * large.
   */
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

  /** Returns the elements that were skipped since the last call. */
  takeOversize(): readonly OversizeElement[] {
    return this.#oversize.splice(0);
  }

  /**
   * Returns the object without its records.
   * @throws {BrokenReplyError} the reply is truncated, or is not an object with `records`.
   */
  end(): Readonly<Record<string, unknown>> {
    if (!this.#started) throw new BrokenReplyError('the reply has no body');
    if (this.#depth > 0 || this.#inString) throw new BrokenReplyError('the reply was truncated');
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
    throw new BrokenReplyError('the reply has no "records" list');
  }

  #addToEnvelope(buffer: Buffer, from: number, to: number): void {
    if (from < 0 || from >= to) return;
    this.#started = true;
    // The bytes are stored as latin1 and decoded later, because two chunks can split a character.
    this.#envelope += buffer.toString('latin1', from, to);
    if (this.#envelope.length > this.#limits.maxEnvelopeBytes) {
      throw new BrokenReplyError('the reply is too large, even without the records');
    }
  }

  #element(buffer: Buffer, from: number, to: number): string | undefined {
    if (this.#bufferedBytes === 0) {
      if (to - from <= this.#limits.maxElementBytes) return buffer.toString('utf8', from, to);
    }
    this.#buffer(buffer.subarray(from, to));
    const whole = Buffer.concat(this.#buffered);
    const bytes = this.#bufferedBytes;
    this.#buffered = [];
    this.#bufferedBytes = 0;
    if (bytes <= this.#limits.maxElementBytes) return whole.toString('utf8');
    this.#oversize.push({ head: whole.toString('utf8', 0, headBytes), bytes });
    return undefined;
  }

  #buffer(piece: Buffer): void {
    this.#bufferedBytes += piece.length;
    if (this.#bufferedBytes <= this.#limits.maxElementBytes) {
      this.#buffered.push(Buffer.from(piece));
    } else {
      const head = Buffer.concat([...this.#buffered, piece.subarray(0, headBytes)]).subarray(0, headBytes);
      this.#buffered = [Buffer.from(head)];
    }
  }
}

function notAnObject(): BrokenReplyError {
  return new BrokenReplyError('an element of "records" is not an object');
}
