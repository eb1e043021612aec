import { createApp, type Answer } from './app.ts';
import type { FiredTimer } from './clock.ts';
import { Deliverer } from './events/deliver.ts';
import { smallOffice } from './fixtures/small-office.ts';
import { listen, type Listening } from './listen.ts';
import { describe, type ReadyFile } from './ready.ts';
import { defaultSettings, type SandboxSettings } from './settings.ts';
import type { AppStore } from './store/apps.ts';
import { makeAssertion } from './oauth/assertion.ts';
import { setPassword } from './oauth/set-password.ts';
import type { ChatPostRow } from './store/chat.ts';
import type { DeliveryRow } from './store/deliveries.ts';
import type { ExtensionRow } from './store/extensions.ts';
import type { MessageRow } from './store/messages.ts';
import type { RequestLogEntry } from './store/request-log.ts';
import type { SubscriptionRow } from './store/subscriptions.ts';
import { timerHandlers } from './timers.ts';
import { World } from './world.ts';

export type {
  ChatPostRow,
  DeliveryRow,
  ExtensionRow,
  FiredTimer,
  MessageRow,
  ReadyFile,
  RequestLogEntry,
  SandboxSettings,
  SubscriptionRow,
};
export type { ReadyApp, ReadyUser } from './ready.ts';

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
  readonly clock?: 'real' | 'frozen';
  /** Milliseconds since 1970; where a new frozen clock starts. */
  readonly startTime?: number;
  readonly fixture?: 'small-office';
  /** Registered for every app, beside the default ones. */
  readonly redirectUris?: readonly string[];
  /** Checks every reply against the contract and fails loudly; true by default. */
  readonly validateReplies?: boolean;
  readonly settings?: Partial<SandboxSettings>;
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
  /** What was posted into one chat group, or into all, oldest first. */
  posts(groupId?: string): readonly ChatPostRow[];
  /** Changes a user's password, which ends all sessions. */
  setPassword(extensionId: number | string, password: string): void;
  /** A signed assertion for the jwt-bearer grant; `sub` is an extension id. */
  assertion(claims: Readonly<Record<string, unknown>>): string;
  /** Resolves when every notification has been delivered or has failed. */
  settled(): Promise<void>;
  /** Stops answering. @throws {AggregateError} when a reply broke the contract or a handler failed. */
  close(): Promise<void>;
  /** Ends as a crash would, for tests of durability. */
  crash(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Monday morning, so that a frozen sandbox always tells the same story. */
const DEFAULT_START = Date.UTC(2026, 0, 5, 9);

/** Redirect addresses of every app, so that several sign-ins can listen side by side. */
export const DEFAULT_REDIRECT_URIS: readonly string[] = [
  'http://127.0.0.1:8734/callback',
  'http://localhost:8734/callback',
  'http://[::1]:8734/callback',
  ...Array.from({ length: 10 }, (_, index) => `http://127.0.0.1:${8735 + index}/callback`),
];

/** Starts the service. It answers requests when the promise resolves. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const clock = options.clock ?? 'frozen';
  const world = new World({
    database: options.database ?? ':memory:',
    seed: options.seed ?? 42,
    clock,
    startTime: options.startTime ?? DEFAULT_START,
    settings: { ...defaultSettings, ...options.settings },
    timers: timerHandlers,
  });
  const redirectUris = [...new Set([...DEFAULT_REDIRECT_URIS, ...(options.redirectUris ?? [])])];
  world.inTransaction(() => fill(world, redirectUris));
  const deliverer = new Deliverer(world);
  const bugs: unknown[] = [];
  const answer = recording(createApp(world, options.validateReplies ?? true), bugs);
  const listening = options.listen === false ? undefined : await openPort(world, answer, options);
  if (listening) world.baseUrl = listening.url;
  world.onCommit(() => {
    world.clock.schedule();
    deliverer.wake();
    world.channels.wake();
  });
  world.clock.schedule();
  deliverer.wake();
  return toSandbox({ world, deliverer, bugs, answer, listening });
}

/** A sandbox that cannot listen must not keep its database open. */
async function openPort(world: World, answer: Answer, options: SandboxOptions): Promise<Listening> {
  try {
    return await listen(answer, options.host, options.port);
  } catch (error) {
    world.close();
    throw error;
  }
}

/** A new database gets the fixture; an existing one only the redirect addresses of this start. */
function fill(world: World, redirectUris: readonly string[]): void {
  if (world.meta.get('fixture') === undefined) {
    smallOffice(world, redirectUris);
    world.meta.set('fixture', 'small-office');
    return;
  }
  addRedirectUris(world.apps, redirectUris);
}

function addRedirectUris(apps: AppStore, redirectUris: readonly string[]): void {
  for (const app of apps.all()) {
    apps.save({ ...app, redirectUris: [...new Set([...app.redirectUris, ...redirectUris])] });
  }
}

/** Keeps what went wrong for `close`: over a socket nobody would see them. */
function recording(answer: Answer, bugs: unknown[]): Answer {
  return async (request, server) => {
    try {
      return await answer(request, server);
    } catch (error) {
      bugs.push(error);
      throw error;
    }
  };
}

interface Parts {
  readonly world: World;
  readonly deliverer: Deliverer;
  readonly bugs: readonly unknown[];
  readonly answer: Answer;
  readonly listening: Listening | undefined;
}

function toSandbox({ world, deliverer, bugs, answer, listening }: Parts): Sandbox {
  let open = true;
  const end = async (last: () => void): Promise<void> => {
    if (!open) return;
    open = false;
    world.channels.close();
    // Those who waited on a channel get their answer while the database is open.
    await new Promise((resolve) => setImmediate(resolve));
    await listening?.close();
    deliverer.stop();
    last();
  };
  const close = async (): Promise<void> => {
    await end(() => world.close());
    if (bugs.length > 0) throw new AggregateError(bugs, 'the sandbox did not answer as it should');
  };
  return {
    url: world.baseUrl,
    ready: describe(world),
    fetch: (request) => answer(request),
    clock: {
      now: () => world.clock.now(),
      advance: (milliseconds) => Promise.resolve(world.clock.advance(milliseconds)),
    },
    messages: (id) => world.messages.all(id === undefined ? undefined : Number(id)),
    members: (id) => world.departments.members(Number(id)).rows,
    subscriptions: () => world.subscriptions.all(),
    deliveries: () => world.deliveries.all(),
    requestLog: () => world.requestLog.list(),
    posts: (groupId) => world.chat.posts(groupId),
    setPassword: (id, password) => world.inTransaction(() => setPassword(world, Number(id), password)),
    assertion: (claims) => makeAssertion(world, claims),
    settled: () => deliverer.settled(),
    close,
    crash: () => end(() => world.crash()),
    [Symbol.asyncDispose]: close,
  };
}
