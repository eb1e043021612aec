import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Fake timers of a test replace the global function, but not an imported one.
import { setImmediate } from 'node:timers';
import { createApp, type Answer } from './server/app.ts';
import { recording, withControl } from './server/with-control.ts';
import { answerControl, controlPrefix } from './control/control-app.ts';
import type { ControlContext } from './control/control-context.ts';
import { ControlError } from './control/control-error.ts';
import { extensionOf, queueOf } from './control/named-extension.ts';
import { Snapshots } from './control/snapshots.ts';
import { loadState, saveState } from './control/saved-state.ts';
import { clearTables } from './control/state.ts';
import { Traffic } from './control/traffic.ts';
import { lockDatabase } from './world/database-lock.ts';
import { dialectSettings } from './server/dialect.ts';
import { Deliverer } from './subscriptions/deliver.ts';
import { checkFixture, defaultRedirectUris, fill, isEmpty } from './fixtures/fill.ts';
import { listen, type Listening } from './server/listen.ts';
import { logUnrouted, type RejectedRequest } from './server/rejections.ts';
import { makeAssertion } from './oauth/assertion.ts';
import { setPassword } from './oauth/set-password.ts';
import { describe, type ReadyFile } from './server/ready.ts';
import type { Sandbox, SandboxOptions } from './sandbox.ts';
import { resetSockets } from './sockets/sessions.ts';
import { changeTopics } from './world/changes.ts';
import { checkOptions } from './world/option-schemas.ts';
import { defaultSettings } from './world/settings.ts';
import { timerHandlers } from './world/timers.ts';
import { makeCertificates, type TlsFiles } from './server/tls.ts';
import { World } from './world/world.ts';

export { ControlError } from './control/control-error.ts';
export type { ClockMode, FiredTimer } from './world/clock.ts';
export { defaultRedirectUris } from './fixtures/fill.ts';
export type { ReadyApp, ReadyFile, ReadyUser } from './server/ready.ts';
export type { Sandbox, SandboxOptions } from './sandbox.ts';
export type { SandboxSettings } from './world/settings.ts';
export type { ChatPostRow } from './chat/store.ts';
export type { DeliveryRow } from './subscriptions/delivery-store.ts';
export type { ExtensionRow } from './directory/extension-store.ts';
export type { MessageRow } from './messages/store.ts';
export type { RequestLogEntry } from './server/request-log.ts';
export type { SubscriptionRow } from './subscriptions/store.ts';

/** A frozen clock starts on a fixed Monday morning, so that a sandbox returns the same results on any day. */
const defaultStart = Date.UTC(2026, 0, 5, 9);

/**
 * Starts the service. It answers requests as soon as the promise resolves. @throws {ControlError} for invalid options.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkOptions(options);
  const database = options.database ?? ':memory:';
  const unlock = lockDatabase(database);
  const ended: (() => void)[] = [unlock];
  try {
    return await start(database, options, ended);
  } catch (error) {
    // A sandbox that fails to start must close its database.
    for (const end of ended.toReversed()) end();
    throw error;
  }
}

async function start(database: string, options: SandboxOptions, ended: (() => void)[]): Promise<Sandbox> {
  const dialect = options.dialect ?? 'spec';
  const world = new World({
    database,
    seed: options.seed ?? 42,
    clock: options.clock ?? 'frozen',
    startTime: options.startTime ?? defaultStart,
    settings: { ...defaultSettings, ...dialectSettings[dialect], ...options.settings },
    timers: timerHandlers,
    dialect,
    rateLimits: options.rateLimits ?? 'off',
    onFailure: options.onFailure,
  });
  ended.push(() => world.crash());
  if (options.publicUrl !== undefined) world.publicUrl = new URL(options.publicUrl).origin;
  const redirectUris = [...new Set([...defaultRedirectUris, ...(options.redirectUris ?? [])])];
  begin(world, redirectUris, options);
  world.inTransaction(() => resetSockets(world));
  const deliverer = new Deliverer(world);
  const snapshots = new Snapshots(world, database);
  ended.push(() => snapshots.close());
  const { promise: stopped, resolve: stop } = deferred();
  const tls = options.tls ? await certificates(world, options, ended) : undefined;
  const extra = { ca: tls?.caFile, dialect };
  const context: ControlContext = {
    world,
    deliverer,
    snapshots,
    traffic: new Traffic(world),
    reset(fixture) {
      reset(
        world,
        redirectUris,
        fixture === undefined ? options : { ...options, fixture, snapshot: undefined },
      );
      world.faults.remove();
      world.limits.reset();
      deliverer.reset();
      world.inTransaction(() => resetSockets(world));
      world.changes.note(...changeTopics);
    },
    ready: () => describe(world, extra),
    stop,
  };
  const service = createApp(world, options.validateReplies ?? true);
  const answer = recording(withControl(context, service), world);
  const listening = await openPorts(world, answer, options, tls, options.validateReplies ?? true);
  world.onCommit(() => {
    world.clock.schedule();
    deliverer.wake();
    world.channels.wake();
    world.sockets.wake(world.socketMessages.added);
  });
  world.clock.schedule();
  deliverer.wake();
  const loud = options.validateReplies ?? true;
  return toSandbox({ context, answer, listening, stopped, ended, loud, ready: describe(world, extra) });
}

/** The options that determine the initial content of a world. */
type Start = Pick<SandboxOptions, 'fixture' | 'startTime'> & { readonly snapshot?: string | undefined };

/**
 * Fills an empty world from a saved state or a fixture. In a world with content, only the redirect URIs of this start
 * are added. @throws {ControlError} if the world has the content of another fixture.
 */
function begin(world: World, redirectUris: readonly string[], { snapshot, fixture }: Start): void {
  checkFixture(world, fixture);
  if (snapshot !== undefined && isEmpty(world)) loadState(world, snapshot);
  world.inTransaction(() => {
    fill(world, redirectUris, fixture);
    world.clock.store();
  });
}

/**
 * Replaces all content with the initial content. @throws {ControlError} for an unknown fixture or a missing snapshot,
 * before anything changes.
 */
function reset(world: World, redirectUris: readonly string[], { snapshot, fixture, startTime }: Start): void {
  if (snapshot !== undefined) loadState(world, snapshot);
  world.inTransaction(() => {
    if (snapshot === undefined) {
      clearTables(world.database);
      world.reload(startTime ?? defaultStart);
    }
    fill(world, redirectUris, fixture);
  });
}

async function openPorts(
  world: World,
  answer: Answer,
  options: SandboxOptions,
  tls: TlsFiles | undefined,
  validateReplies: boolean,
): Promise<readonly Listening[]> {
  if (options.listen === false) return [];
  const { host, port, mediaPort, requestMilliseconds, onWarning } = options;
  const sockets = await openSockets(world, validateReplies);
  const shared = {
    host,
    tls,
    requestMilliseconds,
    onWarning,
    onRejected: (request: RejectedRequest) => logUnrouted(world, request),
  };
  const main = await listen(answer, { ...shared, port, sockets });
  world.baseUrl = main.url;
  if (mediaPort === undefined) return [main];
  try {
    const media = await listen(answer, { ...shared, port: mediaPort });
    world.mediaBaseUrl = media.url;
    return [main, media];
  } catch (error) {
    await main.close();
    throw error;
  }
}

/** Serves WebSockets if the dialect has them. The module is loaded only in this case. */
async function openSockets(world: World, validateReplies: boolean) {
  if (world.dialect.liveTransport !== 'websocket') return undefined;
  const { serveSockets } = await import('./sockets/server.ts');
  return { world, accept: serveSockets(world, validateReplies) };
}

function certificates(world: World, options: SandboxOptions, ended: (() => void)[]): Promise<TlsFiles> {
  const parent = options.tlsFolder ?? tmpdir();
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  // Each sandbox has its own file, because another sandbox must not replace the certificate.
  const folder = mkdtempSync(join(parent, 'ucctl-ca-'));
  ended.push(() => rmSync(folder, { recursive: true, force: true }));
  return makeCertificates(folder, world.clock.machine(), options.host, world.publicUrl);
}

interface Parts {
  readonly context: ControlContext;
  readonly answer: Answer;
  readonly listening: readonly Listening[];
  readonly stopped: Promise<void>;
  /** Clean-up steps of `close`, run in reverse order. */
  readonly ended: (() => void)[];
  /** Whether `close` throws the internal errors of the sandbox. */
  readonly loud: boolean;
  readonly ready: ReadyFile;
}

function toSandbox({ context, answer, listening, stopped, ended, loud, ready }: Parts): Sandbox {
  const { world, deliverer } = context;
  let ending: Promise<void> | undefined;
  const end = (last: () => void): Promise<void> => (ending ??= endOnce(last));
  const endOnce = async (last: () => void): Promise<void> => {
    world.channels.close();
    world.sockets.close();
    // Waiting clients of the channel get their reply while the database is still open.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(listening.map((port) => port.close()));
    deliverer.stop();
    last();
    for (const undo of ended.toReversed()) undo();
  };
  const close = async (): Promise<void> => {
    await end(() => world.close());
    if (loud && world.bugs.length > 0) {
      throw new AggregateError(
        world.bugs,
        'the sandbox had internal errors, or its replies violated the contract',
      );
    }
  };
  return {
    url: world.baseUrl,
    ready,
    fetch: (request) => answer(request),
    clock: {
      now: () => world.clock.now(),
      advance: async (milliseconds) => world.clock.advance(milliseconds),
    },
    messages: (id) => world.messages.all(id === undefined ? undefined : extensionOf(world, id).id),
    members: (id) => world.departments.members(queueOf(world, id).id).rows,
    subscriptions: () => world.subscriptions.all(),
    deliveries: () => world.deliveries.all(),
    requestLog: () => world.requestLog.list(),
    control: (method, path, body) => callControl(context, method, path, body),
    stopped,
    posts: (groupId) => world.chat.posts(groupId),
    setPassword: (id, password) => void world.inTransaction(() => setPassword(world, Number(id), password)),
    assertion: (claims) => makeAssertion(world, claims),
    settled: () => deliverer.settled(),
    save: (file) => saveState(world, file),
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
  const url = `${context.world.baseUrl}${controlPrefix}${path}`;
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
