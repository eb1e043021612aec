import type { Pane } from './pane.ts';

/** A picture of the documentation: the typed commands, and the condition for taking the picture. */
export interface Scene {
  /** File name below `docs/screens`, without `.svg`. */
  readonly name: string;
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
  /** Whether the test of the pictures skips it: live lines, because other events may arrive between them, and other sizes of a board, which take some seconds. */
  readonly isUnchecked?: boolean;
  /** Types the commands on an empty screen; returns the lines of the screen. */
  readonly play: (pane: Pane) => Promise<readonly string[]>;
}
