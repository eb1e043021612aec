import type { Hint } from '../errors/hint.ts';
import type { Client, HttpSend } from '../client/index.ts';
import type { Auth } from './auth.ts';
import type { CommandDescription, NounDescription } from './command-description.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import type { SentSecrets } from '../platform/sent-secrets.ts';
import type { ExitCode } from '../errors/command.ts';
import type { FleetSession } from './fleet-session.ts';
import type { Output } from './output.ts';
import type { PolicyGuard } from './policy.ts';
import type { Settings } from './settings.ts';
import type { SocketRoute } from './socket-route.ts';
import type { Input, NestedRun } from './streams.ts';
import type { UsageBudget } from './usage-budget.ts';

/** A value that a prompt offers. */
export interface Choice<V extends string = string> {
  readonly value: V;
  /** The line in the list. */
  readonly label: string;
}

/** A value that `Prompt.search` offers. The label is also searched. */
export interface SearchChoice extends Choice {
  /** Further text that is searched but not shown, such as an e-mail address. */
  readonly also?: readonly string[] | undefined;
}

/** Questions to the user at the terminal. Each can be answered by a flag instead. */
export interface Prompt {
  /** Whether questions are possible: stdin and stderr are terminals, and `--no-input` is not set. */
  readonly available: boolean;
  /**
   * Asks for confirmation before the command costs money, calls somebody or makes many changes. `--yes` confirms.
   * @throws {CommandError} `confirmation_needed` (exit 9) if questions are not possible.
   */
  confirm(question: string): Promise<boolean>;
  /** Asks for a text. @throws {CommandError} `input_needed` (exit 9), naming `flag`, if questions are not possible. */
  text(question: string, flag: string): Promise<string>;
  /** Asks for a text that is not shown. */
  secret(question: string, flag: string): Promise<string>;
  /**
   * Offers a few choices, the first of which is selected initially.
   * @returns the chosen value. @throws {CommandError} as `text`.
   */
  choose<V extends string>(question: string, choices: readonly Choice<V>[], flag: string): Promise<V>;
  /**
   * Offers a list with a search field on a terminal that can be redrawn. Esc and Ctrl-C interrupt the run.
   * @param refresh reads the choices again while the list is shown. Its failure is ignored.
   * @returns the chosen value.
   */
  search(
    question: string,
    choices: readonly SearchChoice[],
    refresh?: (signal: AbortSignal) => Promise<readonly SearchChoice[]>,
  ): Promise<string>;
}

/** Folders of the user by the conventions of the platform; variables such as `UCCTL_CONFIG_DIR` override them. */
export interface Paths {
  readonly config: string;
  readonly state: string;
  readonly cache: string;
  readonly data: string;
}

/** A run of changes that a command has started. */
export interface StartedRun {
  readonly id: string;
  /** Whether the same command is rejected until the run is finished. */
  readonly isBlocking: boolean;
}

/**
 * Everything a command may use. Expensive resources are functions that return a promise, so that no socket, keychain or
 * database is opened before it is used.
 */
export interface Context {
  /** Returns the shared API client, made at the first call with the profile's session. */
  api(): Promise<Client>;
  /** Sign-in, sign-out and the stored session. */
  auth(): Promise<Auth>;
  /**
   * Returns the user of this run, as the outcome journal identifies users: the user of the session, or a mark of
   * `UCCTL_TOKEN`.
   * @throws {SignInRequiredError}
   */
  sender(): Promise<string>;
  /** Returns the usage groups of the signed-in user with few requests left. Sends no requests. */
  rateBudgets(): Promise<readonly UsageBudget[]>;
  /** HTTP without a session, e.g. for the control API of the sandbox. */
  http(): Promise<HttpSend>;
  /**
   * Returns the route of connections that are not HTTP requests, such as a WebSocket: proxy and certificate
   * authorities.
   */
  route(): Promise<SocketRoute>;
  /**
   * Returns the PostgreSQL store of the setting `store`, opened at the first call and closed at the end of the run. Its
   * schema is known to this program.
   * @throws {CommandError} `usage` (exit 2), `store_not_initialized`, `store_newer` or `store_older` (exit 12).
   */
  store(): Promise<Postgres>;
  /** Like `store`, without a check of the schema, for the commands that create and migrate it. */
  storeConnection(): Promise<Postgres>;
  /**
   * Returns a sign-in for the workers of the fleet: the sign-in of this run, or the sign-in of another profile for the given origin.
   * @throws {SignInRequiredError}
   */
  fleetSession(other?: { readonly profile: string; readonly origin: string }): Promise<FleetSession>;
  /** The secrets of all requests so far, which are masked in stored replies. */
  readonly sentSecrets: SentSecrets;
  readonly settings: Settings;
  /** Reads the settings of the same profile again, for a process that runs for a long time. */
  currentSettings(): Promise<Settings>;
  readonly out: Output;
  readonly prompt: Prompt;
  /**
   * Returns the policy of the profile. Commands check it before they start; the transport checks it before each
   * request.
   */
  policy(): Promise<PolicyGuard>;
  readonly input: Input;
  readonly paths: Paths;
  /** Environment variables at the start. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by the first Ctrl-C or SIGTERM, or when the terminal is closed. */
  readonly signal: AbortSignal;
  /**
   * Runs work that blocks this process, such as a statement of SQLite. Meanwhile, Ctrl-C, SIGTERM or the end of the
   * terminal ends the process at once. Undefined if other work of the process must continue, as in a nested command line.
   */
  readonly withDefaultSignals: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  /** Current folder, for relative file arguments. */
  readonly cwd: string;
  /** The path of the started script or single executable, for starting it again. */
  readonly program: string | undefined;
  /** Version of ucctl. */
  readonly version: string;
  readonly dryRun: boolean;
  /** Returns all commands as data. */
  commands(): Promise<readonly CommandDescription[]>;
  /**
   * Runs another command line in this process with the global flags of this one. Errors are reported as usual.
   * @returns its exit code.
   */
  run(argv: readonly string[], how?: NestedRun): Promise<number>;
  /** Returns all nouns with their commands. */
  nouns(): Promise<readonly NounDescription[]>;
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Returns the time to which relative times such as `2h` and `today` refer, in milliseconds since 1970: the time of the
   * preview for a confirmed plan, and otherwise now.
   */
  baseTime(): number;
  /**
   * Milliseconds since an arbitrary time, for measuring durations. Setting the clock of the machine does not change it.
   */
  elapsed(): number;
  /** Waits. Rejects when the run is aborted, or the given signal. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /**
   * Reports the ID of a run of changes to the command that runs this one, and to the report of a failure. `isBlocking`: the same
   * command is rejected until the run is finished.
   */
  onRun(run: string, isBlocking?: boolean): void;
  /** Warns that a board no longer shows the present, and reports this to the command that runs this one. */
  onOutdated(reason: Hint): void;
  /** Opens the system's browser. Resolves with false if that failed. */
  openUrl(url: string): Promise<boolean>;
  /** Like `openUrl`, for a page in a file of this program. */
  openPageFile(file: string): Promise<boolean>;
}

/** The handler of a command. It may return an exit code other than 0 for a success, such as `changesPresent`. */
export type Handler<O> = (ctx: Context, options: O) => Promise<ExitCode | void>;
