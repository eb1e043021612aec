import { writeFileAtomic } from '../../platform/atomic-file.ts';

/** Least time between two writes while a run goes, in milliseconds: a long list at full speed must not spend its time on writing. */
const pauseMilliseconds = 250;

/**
 * The results files of a run. They are written as a whole and atomically: before the first request, whenever something changed, and at the
 * end. Changes that come in quick succession share a write.
 */
export class ResultsFiles {
  readonly #files: readonly string[];
  readonly #text: () => string;
  #writing: Promise<void> | undefined;
  #pause: NodeJS.Timeout | undefined;
  #isStale = false;
  #isSettled = false;

  /** @param text makes the present content */
  constructor(files: readonly string[], text: () => string) {
    this.#files = files;
    this.#text = text;
  }

  /** Writes them now. @throws what writing a file throws */
  async write(): Promise<void> {
    if (this.#files.length === 0) return;
    const content = this.#text();
    for (const file of this.#files) await writeFileAtomic(file, content);
  }

  /** Something changed: they are written soon. A failure is left to the write at the end. */
  changed(): void {
    if (this.#files.length === 0 || this.#isSettled) return;
    this.#isStale = true;
    if (!this.#writing && !this.#pause) this.#writing = this.#writeOnce();
  }

  /** Ends the writing of changes; returns when none is under way. */
  async settle(): Promise<void> {
    this.#isSettled = true;
    clearTimeout(this.#pause);
    await this.#writing;
  }

  async #writeOnce(): Promise<void> {
    this.#isStale = false;
    await this.write().catch(() => undefined);
    this.#writing = undefined;
    if (this.#isSettled) return;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#isStale) this.changed();
    }, pauseMilliseconds);
  }
}
