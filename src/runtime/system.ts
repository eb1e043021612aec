import type { HttpSend } from '../client/index.ts';
import type { Input, Paths } from './context.ts';

/** A stream to the user. */
export interface Sink {
  readonly isTerminal: boolean;
  /** Width in columns; undefined when it is no terminal. */
  readonly columns: number | undefined;
  /**
   * Resolves when the reader has room again. Rejects with code EPIPE when it is gone. `onTaken` is called before it returns where the system has
   * the whole text by then (a file or a pipe), and else not at all.
   */
  write(text: string, onTaken?: () => void): Promise<void>;
  /**
   * Calls back once when the reader has gone, seen without a write. Gives what ends the watching. Absent where there is nothing to see, as in a
   * terminal.
   */
  readonly onUnread?: ((tell: () => void) => () => void) | undefined;
  /**
   * Reads so many bytes, at most, from the end of the file that this goes to. None where it is no file, and where the system does not let it be
   * read.
   */
  readonly lastBytes?: ((count: number) => Promise<Uint8Array>) | undefined;
  /** The real terminal behind it, for spinners and prompts; absent in tests and pipes. */
  readonly stream?: NodeJS.WriteStream | undefined;
}

/**
 * The machine as the tool sees it: the one seam between the program and the process. `src/main.ts` makes the real one; tests make one with
 * captured streams, a clock of their own and the sandbox in place of the network.
 */
export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder. Reading it throws where that folder was deleted. */
  readonly cwd: string;
  /** The file that was started, as it was named; undefined in tests. */
  readonly program?: string | undefined;
  readonly platform: NodeJS.Platform;
  readonly homeDirectory: string;
  readonly version: string;
  readonly stdin: Input;
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Aborted by the first Ctrl-C or SIGTERM, or when the terminal is closed. */
  readonly signal: AbortSignal;
  /** Replaces the network in tests. */
  readonly http?: HttpSend;
  /** Called once before the first request goes to the network, for what tunes the whole process. */
  readonly beforeFirstRequest?: () => Promise<void>;
  /** Overrides the platform's directories in tests. */
  readonly paths?: Paths;
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  openUrl(url: string): Promise<boolean>;
}
