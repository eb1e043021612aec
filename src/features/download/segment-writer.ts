import type { PartFile, Segment } from './part-file.ts';

/** Bytes gathered for one write: fewer calls, and little memory for each connection. */
const gather = 1024 * 1024;

/** Writes what one connection brings, one write under way while the next is gathered. `segment.next` moves when bytes are written. */
export class SegmentWriter {
  readonly #part: PartFile;
  readonly #segment: Segment;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(part: PartFile, segment: Segment) {
    this.#part = part;
    this.#segment = segment;
  }

  async add(piece: Uint8Array): Promise<void> {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size >= gather) await this.#write();
  }

  /** Waits until all of it is written. */
  async flush(): Promise<void> {
    await this.#write();
    await this.#writing;
  }

  async #write(): Promise<void> {
    await this.#writing;
    if (this.#size === 0) return;
    const [pieces, size] = [this.#pieces, this.#size];
    this.#pieces = [];
    this.#size = 0;
    const work = this.#writeOut(pieces, size);
    // Whoever waits next sees the failure; until then it is nobody's.
    work.catch(() => undefined);
    this.#writing = work;
  }

  async #writeOut(pieces: readonly Uint8Array[], size: number): Promise<void> {
    await this.#part.write(pieces, this.#segment.next);
    this.#segment.next += size;
  }
}
