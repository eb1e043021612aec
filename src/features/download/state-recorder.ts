import { isDiskFull } from './download-failure.ts';
import type { PartFile } from './part-file.ts';
import type { PartProgress, Segment } from './part-notes.ts';
import { receivedBytes } from './segments.ts';

/** Number of received bytes after which the state is recorded for the first time. */
const firstBytes = 8 * 1024 * 1024;
/** Minimum number of received bytes, and of milliseconds, between two records, because each record flushes the file. */
const betweenBytes = 1024 * 1024;
const betweenMilliseconds = 1000;
/** Number of bytes by which a partial file is shortened on a full disk, so that its state has room. */
const roomBytes = 64 * 1024;
/** Maximum number of times to shorten the file, because other downloads may use the freed space. */
const mostShortenings = 3;

/** Records the state of a partial file during the download, so that a later run can resume it after a crash. */
export class StateRecorder {
  readonly #part: PartFile;
  readonly #progress: () => PartProgress | undefined;
  readonly #elapsed: () => number;
  #received = 0;
  #recordedAt: number;
  #recording: Promise<void> | undefined;

  /**
   * @param progress returns the state to record; undefined if the download cannot be resumed
   * @param elapsed returns milliseconds since any fixed time
   */
  constructor(part: PartFile, progress: () => PartProgress | undefined, elapsed: () => number) {
    this.#part = part;
    this.#progress = progress;
    this.#elapsed = elapsed;
    this.#recordedAt = elapsed();
  }

  /** Counts received bytes. Begins to record the state if a record is due and none is being written. */
  count(bytes: number): void {
    this.#received += bytes;
    if (this.#recording || !this.#isDue()) return;
    const progress = this.#progress();
    // Received bytes are not on the disk at once.
    if (!progress || receivedBytes(progress.segments) === 0) return;
    this.#received = 0;
    this.#recordedAt = this.#elapsed();
    // The download fails by itself if the disk is full.
    this.#recording = this.#part
      .save(progress)
      .catch(() => undefined)
      .finally(() => {
        this.#recording = undefined;
      });
  }

  /** Resolves when no record is being written. */
  async settled(): Promise<void> {
    await this.#recording;
  }

  /**
   * Records the state of a failed download. On a full disk, shortens the partial file first. Returns whether a later run
   * can resume it.
   * @param segments the segments of the file; `next` is reduced if the file is shortened
   */
  async store(segments: readonly Segment[]): Promise<boolean> {
    try {
      return await this.#storeOrShorten(segments);
    } catch {
      // An earlier state describes bytes that are still on the disk.
      return this.#part.hasNotes;
    }
  }

  async #storeOrShorten(segments: readonly Segment[]): Promise<boolean> {
    for (let tries = 0; !this.#part.isLost && receivedBytes(segments) > 0; tries += 1) {
      const progress = this.#progress();
      if (!progress) return false;
      try {
        await this.#part.save(progress);
        return true;
      } catch (error) {
        if (this.#part.hasNotes || !isDiskFull(error) || tries === mostShortenings) throw error;
      }
      const size = await this.#part.shorten(roomBytes);
      for (const segment of segments) segment.next = Math.max(segment.first, Math.min(segment.next, size));
    }
    return false;
  }

  #isDue(): boolean {
    if (!this.#part.hasNotes && this.#received >= firstBytes) return true;
    return this.#received >= betweenBytes && this.#elapsed() - this.#recordedAt >= betweenMilliseconds;
  }
}
