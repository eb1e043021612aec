import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type Answer } from './app.ts';
import type { ClockMode, FiredTimer } from './clock.ts';
import { answerControl, CONTROL_PREFIX } from './control/control-app.ts';
import type { ControlContext } from './control/control-context.ts';
import { ControlError } from './control/control-error.ts';
import { answerHealth } from './control/health.ts';
import { Interrupted } from './control/interrupted.ts';
import { Snapshots } from './control/snapshots.ts';
import { clearTables } from './control/state.ts';
import { Traffic } from './control/traffic.ts';
import { lockDatabase } from './database-lock.ts';
import { Deliverer } from './events/deliver.ts';
import { fixtures, type FixtureName } from './fixtures/fixtures.ts';
import { listen, type Listening } from './listen.ts';
import { describe, type ReadyFile } from './ready.ts';
import type { RateLimits } from './rate-limiter.ts';
import { checkSettings } from './setting-schemas.ts';
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
import { makeCertificates, type TlsFiles } from './tls.ts';
import { World } from './world.ts';

export type {
  ClockMode,
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
  readonly clock?: ClockMode;
  /** Milliseconds since 1970; where a new frozen clock starts. */
  readonly startTime?: number;
  readonly fixture?: string;
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

/** Starts the service. It answers requests when the promise resolves. @throws {ControlError} for settings that cannot be. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkSettings({ ...options.settings });
  const database = options.database ?? ':memory:';
  const unlock = lockDatabase(database);
  const ended: (() => void)[] = [unlock];
  try {
    return await start(database, options, ended);
  } catch (error) {
    // A sandbox that cannot start must not keep its database open.
    for (const end of ended.toReversed()) end();
    throw error;
  }
}

async function start(database: string, options: SandboxOptions, ended: (() => void)[]): Promise<Sandbox> {
  const world = new World({
    database,
    seed: options.seed ?? 42,
    clock: options.clock ?? 'frozen',
    startTime: options.startTime ?? DEFAULT_START,
    settings: { ...defaultSettings, ...options.settings },
    timers: timerHandlers,
    rateLimits: options.rateLimits ?? 'off',
    onFailure: options.onFailure,
  });
  ended.push(() => world.crash());
  const redirectUris = [...new Set([...DEFAULT_REDIRECT_URIS, ...(options.redirectUris ?? [])])];
  world.inTransaction(() => fill(world, redirectUris, options.fixture));
  const deliverer = new Deliverer(world);
  const snapshots = new Snapshots(world, database);
  ended.push(() => snapshots.close());
  const { promise: stopped, resolve: stop } = deferred();
  const tls = options.tls ? await certificates(world, options, ended) : undefined;
  const extra = { ca: tls?.caFile };
  const context: ControlContext = {
    world,
    deliverer,
    snapshots,
    traffic: new Traffic(world),
    reset(fixture) {
      world.inTransaction(() => {
        clearTables(world.database);
        world.requestLog.clear();
        world.reload(options.startTime ?? DEFAULT_START);
        fill(world, redirectUris, fixture ?? options.fixture);
      });
      world.faults.remove();
      world.limits.reset();
      deliverer.reset();
    },
    ready: () => describe(world, extra),
    stop,
  };
  const answer = recording(withControl(context, createApp(world, options.validateReplies ?? true)), world);
  const listening = await openPorts(world, answer, options, tls);
  world.onCommit(() => {
    world.clock.schedule();
    deliverer.wake();
    world.channels.wake();
  });
  world.clock.schedule();
  deliverer.wake();
  const loud = options.validateReplies ?? true;
  return toSandbox({ context, answer, listening, stopped, ended, loud, ready: describe(world, extra) });
}

async function openPorts(
  world: World,
  answer: Answer,
  options: SandboxOptions,
  tls: TlsFiles | undefined,
): Promise<readonly Listening[]> {
  if (options.listen === false) return [];
  const { host, port, mediaPort, requestMilliseconds } = options;
  const main = await listen(answer, { host, port, tls, requestMilliseconds });
  world.baseUrl = main.url;
  if (mediaPort === undefined) return [main];
  try {
    const media = await listen(answer, { host, port: mediaPort, tls, requestMilliseconds });
    world.mediaBaseUrl = media.url;
    return [main, media];
  } catch (error) {
    await main.close();
    throw error;
  }
}

function certificates(world: World, options: SandboxOptions, ended: (() => void)[]): Promise<TlsFiles> {
  const now = world.clock.machine();
  if (options.tlsFolder !== undefined) return makeCertificates(options.tlsFolder, now);
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-ca-'));
  ended.push(() => rmSync(folder, { recursive: true, force: true }));
  return makeCertificates(folder, now);
}

/** A new database gets the fixture; an existing one only the redirect addresses of this start. */
function fill(world: World, redirectUris: readonly string[], fixture = 'small-office'): void {
  const write = Object.hasOwn(fixtures, fixture) ? fixtures[fixture as FixtureName] : undefined;
  if (!write) throw new ControlError(400, 'unknown_fixture', `there is no fixture ${fixture}`);
  if (world.meta.get('fixture') === undefined) {
    write(world, redirectUris);
    world.meta.set('fixture', fixture);
    return;
  }
  addRedirectUris(world.apps, redirectUris);
}

function addRedirectUris(apps: AppStore, redirectUris: readonly string[]): void {
  for (const app of apps.all()) {
    apps.save({ ...app, redirectUris: [...new Set([...app.redirectUris, ...redirectUris])] });
  }
}

/** The service, and beside it what is no part of it: health, the contract, the control surface. */
function withControl(context: ControlContext, service: Answer): Answer {
  return async (request, server) => {
    const start = request.url.indexOf('/', request.url.indexOf('//') + 2);
    if (request.url.startsWith('/restapi', start)) return service(request, server);
    const path = new URL(request.url).pathname;
    if (path === CONTROL_PREFIX || path.startsWith(`${CONTROL_PREFIX}/`)) {
      return answerControl(context, request, server);
    }
    const health = request.method === 'GET' ? answerHealth(context.world, path) : undefined;
    return health ?? service(request, server);
  };
}

/** Keeps what went wrong for `close`: over a socket nobody would see them. */
function recording(answer: Answer, world: World): Answer {
  return async (request, server) => {
    try {
      return await answer(request, server);
    } catch (error) {
      if (!(error instanceof Interrupted)) world.noteFailure(error);
      throw error;
    }
  };
}

interface Parts {
  readonly context: ControlContext;
  readonly answer: Answer;
  readonly listening: readonly Listening[];
  readonly stopped: Promise<void>;
  /** What is to be undone at the end, last first. */
  readonly ended: (() => void)[];
  /** Whether `close` tells of bugs. */
  readonly loud: boolean;
  readonly ready: ReadyFile;
}

function toSandbox({ context, answer, listening, stopped, ended, loud, ready }: Parts): Sandbox {
  const { world, deliverer } = context;
  let open = true;
  const end = async (last: () => void): Promise<void> => {
    if (!open) return;
    open = false;
    world.channels.close();
    // Those who waited on a channel get their answer while the database is open.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(listening.map((port) => port.close()));
    deliverer.stop();
    last();
    for (const undo of ended.toReversed()) undo();
  };
  const close = async (): Promise<void> => {
    await end(() => world.close());
    if (loud && world.bugs.length > 0) {
      throw new AggregateError(world.bugs, 'the sandbox did not answer as it should');
    }
  };
  return {
    url: world.baseUrl,
    ready,
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
    control: (method, path, body) => callControl(context, method, path, body),
    stopped,
    posts: (groupId) => world.chat.posts(groupId),
    setPassword: (id, password) => world.inTransaction(() => setPassword(world, Number(id), password)),
    assertion: (claims) => makeAssertion(world, claims),
    settled: () => deliverer.settled(),
    close,
    crash: () => end(() => world.crash()),
    [Symbol.asyncDispose]: close,
  };
}

async function callControl(
  context: ControlContext,
  method: string,
  path: string,
  body: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const url = `${context.world.baseUrl}${CONTROL_PREFIX}${path}`;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await answerControl(
    context,
    new Request(url, {
      method,
      ...(text && { body: text, headers: { 'content-type': 'application/json' } }),
    }),
  );
  const reply = (await response.json()) as Readonly<Record<string, unknown>>;
  if (response.ok) return reply;
  const { code, message } = reply['error'] as { code: string; message: string };
  throw new ControlError(response.status, code, message);
}

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}
