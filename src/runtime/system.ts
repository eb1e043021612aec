import type { HttpSend } from '../client/index.ts';
import type { SentSecrets } from '../platform/sent-secrets.ts';
import type { Context, Paths } from './context.ts';
import type { Input, Sink } from './streams.ts';

/**
 * The only interface between the program and the process. `src/main.ts` creates the real system; tests create one with
 * captured streams, their own clock and the sandbox in place of the network.
 */
export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder. Reading it throws if the folder was deleted. */
  readonly cwd: string;
  /** The path of the started script or single executable; undefined in tests. */
  readonly program?: string | undefined;
  readonly platform: NodeJS.Platform;
  readonly homeDirectory: string;
  readonly version: string;
  readonly stdin: Input;
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Aborted by the first Ctrl-C or SIGTERM, or when the terminal is closed. */
  readonly signal: AbortSignal;
  /** The secrets of all requests of this process, which are masked in everything that is shown or stored. */
  readonly sentSecrets: SentSecrets;
  /** Replaces the network in tests. */
  readonly http?: HttpSend;
  /** Whether a run closes its connections to the service at its end, because the process continues with other runs. */
  readonly closesNetwork?: boolean;
  /** Called once before the first request, to adjust settings of the V8 engine. */
  readonly beforeFirstRequest?: () => Promise<void>;
  /** See `Context`. Absent in a nested command line. */
  readonly withDefaultSignals?: Context['withDefaultSignals'];
  /** Overrides the folders of the platform in tests. */
  readonly paths?: Paths;
  /** Milliseconds since 1970. */
  now(): number;
  /** The time to which relative times refer, in milliseconds since 1970; the current time if absent. */
  readonly baseTime?: number;
  /**
   * Milliseconds since an arbitrary time, for measuring durations. Setting the clock of the machine does not change it.
   */
  elapsed(): number;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  openUrl(url: string): Promise<boolean>;
  openPageFile(file: string): Promise<boolean>;
  /** Called with the ID of each run of changes that a nested command line executes. */
  readonly onRun?: (run: string) => void;
  /** Called when a board of a nested command line no longer shows the present, with the reason. */
  readonly onOutdated?: (reason: string) => void;
  /** Shows a text in the user's pager. Resolves with false if the user has no pager; the text was then not shown. */
  readonly page?: (text: string) => Promise<boolean>;
}
