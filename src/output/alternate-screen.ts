import type { Surface } from './renderer.ts';

// The terminal marks pasted text (2004), because its letters are not keys of the board.
const enter = '\u001B[?1049h\u001B[?25l\u001B[?2004h';
const leave = '\u001B[?2004l\u001B[?25h\u001B[?1049l';
const home = '\u001B[H';
const clearLine = '\u001B[K';
const clearBelow = '\u001B[J';

/** The alternate screen of the terminal. Writes are queued. Nothing is written after the screen was left. */
export class AlternateScreen {
  readonly #surface: Surface;
  #isInside = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  async enter(): Promise<void> {
    this.#isInside = true;
    await this.#surface.write(enter);
  }

  /** Replaces the lines on the screen; undefined means no change. */
  show(lines: () => Promise<readonly string[] | undefined>): Promise<void> {
    return this.#inTurn(async () => {
      const shown = await lines();
      if (!shown) return;
      await this.#surface.write(
        `${home}${shown.map((line) => `${line}${clearLine}`).join('\r\n')}${clearBelow}`,
      );
    });
  }

  leave(): Promise<void> {
    return this.#inTurn(async () => {
      this.#isInside = false;
      await this.#surface.write(leave);
    });
  }

  /** Queues a write. Nothing is written after the screen was left. */
  #inTurn(write: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(() => (this.#isInside ? write() : undefined));
    return this.#writing;
  }
}
