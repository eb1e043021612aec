import type { PartFile } from './part-file.ts';
import type { Segment } from './part-notes.ts';

/** Bytes collected for one write, which saves system calls and limits the memory of each connection. */
const gather = 1024 * 1024;

/** Writes the bytes of one connection; one write runs while the next is collected. `segment.next` advances when bytes are written. */
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

  /** Waits until all collected bytes are written. */
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
    // The next await of #writing throws the failure; this handler only prevents an unhandled rejection.
    work.catch(() => undefined);
    this.#writing = work;
  }

  async #writeOut(pieces: readonly Uint8Array[], size: number): Promise<void> {
    await this.#part.write(pieces, this.#segment.next);
    this.#segment.next += size;
  }
}
