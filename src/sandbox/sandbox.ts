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

/** How a sandbox is started. */
export interface SandboxOptions {
  /** A file, or `:memory:` (the default). A file that exists is carried on. */
  readonly database?: string;
  /** Seed of all randomness; 42. */
  readonly seed?: number;
  /** 0, the default, takes any that is free. */
  readonly port?: number;
  /** The loopback address by default. */
  readonly host?: string;
  /** False: no socket; requests go through `fetch`. */
  readonly listen?: boolean;
  /** `frozen` by default: time passes when `clock.advance` says so. */
  readonly clock?: ClockMode;
  /** Milliseconds since 1970; where a new frozen clock starts. */
  readonly startTime?: number;
  readonly fixture?: string;
  /**
   * A file of `sandbox.save` or `ucctl sandbox snapshot save`: a new database starts with a copy of that state and its time, instead of a fixture.
   * With the seed it was made with, ids and tokens go on in the same sequence. A reset returns to it.
   */
  readonly snapshot?: string;
  /** Published limits of requests a minute; off by default. */
  readonly rateLimits?: RateLimits;
  /** Serves https with a certificate of a local authority, whose file `ready.ca` names. */
  readonly tls?: boolean;
  /** Where the authority's certificate is written; a temporary folder by default. */
  readonly tlsFolder?: string;
  /** A second port, from which content addresses are served; 0 takes any that is free. */
  readonly mediaPort?: number;
  /** Time for a whole request to arrive. */
  readonly requestMilliseconds?: number;
  /** Registered for every app, beside the default ones. */
  readonly redirectUris?: readonly string[];
  /** Checks every reply against the contract and fails loudly; true by default. */
  readonly validateReplies?: boolean;
  /** `spec` by default. `current`: the paths and values of today (docs/spec/current.md). */
  readonly dialect?: DialectName;
  readonly settings?: Partial<SandboxSettings>;
  /** Told of every error of the sandbox itself, which its client sees as a 500 without a reason. */
  readonly onFailure?: (error: unknown) => void;
}

/** A running service. */
export interface Sandbox {
  readonly url: string;
  readonly ready: ReadyFile;
  /** One request in process, without a socket. */
  fetch(request: Request): Promise<Response>;
  readonly clock: {
    /** Milliseconds since 1970. */
    now(): number;
    /** Puts the clock forward, runs what falls due, and says what that was. */
    advance(milliseconds: number): Promise<readonly FiredTimer[]>;
  };
  /** Every stored message, or those of one extension, oldest first. */
  messages(extensionId?: number | string): readonly MessageRow[];
  /** Agents of a call queue. */
  members(departmentId: number | string): readonly ExtensionRow[];
  subscriptions(): readonly SubscriptionRow[];
  deliveries(): readonly DeliveryRow[];
  requestLog(): readonly RequestLogEntry[];
  /** One request to the control surface, in process: its JSON reply. @throws {ControlError} what it refuses. */
  control(method: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** Resolves when the control surface was asked to stop; whoever started the sandbox then closes it. */
  readonly stopped: Promise<void>;
  /** What was posted into one chat group, or into all, oldest first. */
  posts(groupId?: string): readonly ChatPostRow[];
  /** Changes a user's password, which ends all sessions. */
  setPassword(extensionId: number | string, password: string): void;
  /** A signed assertion for the jwt-bearer grant; `sub` is an extension id. */
  assertion(claims: Readonly<Record<string, unknown>>): string;
  /** Resolves when every notification has been delivered or has failed. */
  settled(): Promise<void>;
  /** Saves the whole state to a database file, from which `startSandbox({ snapshot: file })` starts. Replaces the file. */
  save(file: string): void;
  /** Stops answering. @throws {AggregateError} when a reply broke the contract or a handler failed. */
  close(): Promise<void>;
  /** Ends as a crash would, for tests of durability. */
  crash(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
