import type { DialectName } from '../contract/dialects.ts';
import type { ClockMode, FiredTimer } from './world/clock.ts';
import type { RateLimits } from './server/rate-limiter.ts';
import type { ReadyFile } from './server/ready.ts';
import type { SandboxSettings } from './world/settings.ts';
import type { ChatPostRow } from './chat/store.ts';
import type { DeliveryRow } from './subscriptions/delivery-store.ts';
import type { ExtensionRow } from './directory/extension-store.ts';
import type { MessageRow } from './messages/store.ts';
import type { RequestLogEntry } from './server/request-log.ts';
import type { SubscriptionRow } from './subscriptions/store.ts';

/** Options for starting a sandbox. */
export interface SandboxOptions {
  /** A database file, or `:memory:` (the default). A sandbox with an existing file continues with its state. */
  readonly database?: string;
  /** Seed of all randomness; default 42. */
  readonly seed?: number;
  /** Port to listen on; 0, the default, selects a free port. */
  readonly port?: number;
  /** Address to listen on; by default the loopback address. */
  readonly host?: string;
  /**
   * Base address of links in replies, for clients that reach the sandbox at another address than `url`; by default
   * `url`. Without a path. It cannot be combined with `mediaPort`.
   */
  readonly publicUrl?: string;
  /**
   * Whether the sandbox listens on a port. If false, requests can only be made with `Sandbox.fetch`, and `port`, `host`,
   * `tls` and `mediaPort` are errors.
   */
  readonly listen?: boolean;
  /** Mode of the clock; by default `frozen`, so that only `clock.advance` changes the time. */
  readonly clock?: ClockMode;
  /** Start of a new frozen clock, in milliseconds since 1970. */
  readonly startTime?: number;
  readonly fixture?: string;
  /**
   * A file of `sandbox.save` or `ucctl sandbox snapshot save`: a new database starts with a copy of that state and its
   * time, instead of a fixture. With the same seed, IDs and tokens continue in the same sequence. A reset restores it.
   */
  readonly snapshot?: string;
  /** The published limits of requests per minute; off by default. */
  readonly rateLimits?: RateLimits;
  /**
   * Serves HTTPS with a certificate of a local authority. `ready.ca` is the file with the certificate of this
   * authority.
   */
  readonly tls?: boolean;
  /** Folder in which a new folder contains the certificate of the authority; by default the folder for temporary files. */
  readonly tlsFolder?: string;
  /** A second port for content addresses; 0 selects a free port. */
  readonly mediaPort?: number;
  /** Maximum time for receiving a complete request, in milliseconds. */
  readonly requestMilliseconds?: number;
  /** Redirect addresses to register for every app in addition to the defaults. */
  readonly redirectUris?: readonly string[];
  /** Checks every reply against the contract; `fetch` or `close` throws a violation. True by default. */
  readonly validateReplies?: boolean;
  /**
   * Dialect of the interface; by default `spec`. `current` selects the paths and values of current services
   * (docs/spec/current.md).
   */
  readonly dialect?: DialectName;
  readonly settings?: Partial<SandboxSettings>;
  /** Called with every internal error of the sandbox, which the client sees as a 500 without details. */
  readonly onFailure?: (error: unknown) => void;
  /** Called once for each port if a connection cannot be accepted. The sandbox continues to run. */
  readonly onWarning?: (text: string) => void;
}

/** A running service. */
export interface Sandbox {
  readonly url: string;
  readonly ready: ReadyFile;
  /** Handles one request in this process, without a socket. */
  fetch(request: Request): Promise<Response>;
  readonly clock: {
    /** Milliseconds since 1970. */
    now(): number;
    /** Advances the clock, runs the timers that are due and returns them. */
    advance(milliseconds: number): Promise<readonly FiredTimer[]>;
  };
  /**
   * Returns all stored messages, or the messages of one extension, oldest first. @throws {ControlError} if no extension
   * has this ID.
   */
  messages(extensionId?: number | string): readonly MessageRow[];
  /** Returns the agents of a call queue. @throws {ControlError} if no call queue has this ID. */
  members(departmentId: number | string): readonly ExtensionRow[];
  subscriptions(): readonly SubscriptionRow[];
  deliveries(): readonly DeliveryRow[];
  requestLog(): readonly RequestLogEntry[];
  /**
   * Sends one request to the control API in this process and returns its JSON reply. @throws {ControlError} if the
   * request is rejected.
   */
  control(method: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Resolves when a client of the control API has requested a stop. The program that started the sandbox then
   * closes it.
   */
  readonly stopped: Promise<void>;
  /** Posts to one chat group, or to all chat groups, oldest first. */
  posts(groupId?: string): readonly ChatPostRow[];
  /** Changes a user's password, which ends all sessions. */
  setPassword(extensionId: number | string, password: string): void;
  /** Returns a signed assertion for the jwt-bearer grant; `sub` is an extension ID. */
  assertion(claims: Readonly<Record<string, unknown>>): string;
  /** Resolves when every notification has been delivered or has failed. */
  settled(): Promise<void>;
  /**
   * Saves the complete state to a database file for `startSandbox({ snapshot: file })`, and overwrites an existing
   * file.
   */
  save(file: string): void;
  /** Stops the sandbox. @throws {AggregateError} if a reply violated the contract or a handler failed. */
  close(): Promise<void>;
  /** Stops without a last write, like a crash, for tests of durability. */
  crash(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
