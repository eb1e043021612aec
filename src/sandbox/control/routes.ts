import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson } from '../../platform/json.ts';
import { clockModeSchema } from '../world/clock-mode.ts';
import { resetSockets } from '../sockets/sessions.ts';
import { changeTopics } from '../world/changes.ts';
import { checkSettings } from '../world/setting-schemas.ts';
import type { ControlContext } from './control-context.ts';
import { consoleRoutes } from '../console/routes.ts';
import { ControlError, controlNotFound } from './control-error.ts';
import { withExtension } from './fault-extension.ts';
import { FaultRequest } from './fault-request.ts';
import { route, type ControlRoute } from './route.ts';
import { hashState } from './state.ts';
import { deliveryStates } from '../subscriptions/delivery-store.ts';
import { publish } from '../subscriptions/enqueue.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';
import { TrafficRequest } from './traffic.ts';
import { runTrigger } from './triggers.ts';
import { actOnPhone } from './phones.ts';
import { assertionFor, changePassword, removeUser, revokeTokens, setStatus } from './users.ts';

/** Longest wait for notifications after the clock was advanced, in milliseconds. */
const deliveryWait = 10_000;
const Nothing = z.object({});
const Name = z
  .string()
  .regex(
    /^\w[\w.-]{0,63}$/,
    'must have 1 to 64 letters, digits, dots, dashes and underscores, and begin with a letter, digit or underscore',
  );
const WholeNumber = z.coerce.number().int().min(0);
const LogQuery = z.object({ limit: WholeNumber.min(1).max(10_000).default(100) });
const PostQuery = LogQuery.extend({ group: z.string().min(1).optional() });
const DeliveryQuery = LogQuery.extend({ state: z.enum(deliveryStates).optional() });

export const controlRoutes: readonly ControlRoute[] = [
  ...consoleRoutes,
  route('GET', '/status', Nothing, ({ world, ready, traffic }) => ({
    ...ready(),
    time: world.clock.iso(),
    clock: world.clock.mode,
    rateLimits: world.limits.mode,
    faults: world.faults.list().length,
    traffic: traffic.state(),
    messages: world.messages.count(),
    subscriptions: world.subscriptions.all().length,
    pendingDeliveries: world.deliveries.pending(0, 1000).length,
  })),
  route('POST', '/stop', Nothing, (context) => {
    // The reply must be sent before the server stops.
    setTimeout(() => context.stop(), 20);
    return { stopping: true };
  }),
  route('POST', '/reset', z.strictObject({ fixture: z.string().optional() }), (context, { fixture }) => {
    context.reset(fixture);
    return { reset: true };
  }),
  route('GET', '/state', Nothing, ({ world }) => ({ hash: hashState(world), time: world.clock.iso() })),

  route('GET', '/snapshots', Nothing, ({ snapshots }) => ({ records: snapshots.list() })),
  route('POST', '/snapshots', z.strictObject({ name: Name }), ({ snapshots }, { name }) =>
    snapshots.save(name),
  ),
  route(
    'POST',
    '/snapshots/:name/load',
    Nothing,
    ({ snapshots, deliverer, world }, _input, { name = '' }) => {
      if (!Name.safeParse(name).success) return controlNotFound(`snapshot ${name}`);
      const snapshot = snapshots.load(name);
      deliverer.reset();
      world.inTransaction(() => resetSockets(world));
      world.clock.schedule();
      world.changes.note(...changeTopics);
      return snapshot;
    },
  ),

  route('GET', '/settings', Nothing, ({ world }) => world.settings),
  route(
    'PATCH',
    '/settings',
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    ({ world }, changed) => {
      checkSettings(changed);
      world.inTransaction(() => world.changeSettings(changed));
      return world.settings;
    },
  ),

  route('GET', '/clock', Nothing, ({ world }) => clockState(world)),
  route('POST', '/clock', z.strictObject({ mode: clockModeSchema }), ({ world }, { mode }) => {
    world.clock.setMode(mode);
    return clockState(world);
  }),
  route(
    'POST',
    '/clock/advance',
    z.strictObject({ seconds: z.number().min(0).max(315_360_000) }),
    async ({ world, deliverer }, { seconds }) => {
      const fired = world.clock.advance(seconds * 1000);
      await Promise.race([deliverer.settled(), delay(deliveryWait, undefined, { ref: false })]);
      return {
        ...clockState(world),
        fired: fired.map(({ due, kind, subject }) => ({ due: world.clock.iso(due), kind, subject })),
      };
    },
  ),

  route('POST', '/triggers/:kind', z.record(z.string(), z.unknown()), ({ world }, input, { kind = '' }) =>
    runTrigger(world, kind, input),
  ),
  route('GET', '/traffic', Nothing, ({ traffic }) => traffic.state()),
  route('POST', '/traffic', TrafficRequest, ({ traffic }, request) => traffic.start(request)),
  route('DELETE', '/traffic', Nothing, ({ traffic }) => traffic.stop()),
  route('POST', '/phones/:number/:action', Nothing, ({ world }, _input, params) =>
    actOnPhone(world, params['number'] ?? '', params['action'] ?? ''),
  ),

  route('GET', '/faults', Nothing, ({ world }) => ({ records: world.faults.list() })),
  route('POST', '/faults', FaultRequest, ({ world }, request) =>
    world.faults.add(withExtension(world, request)),
  ),
  route('DELETE', '/faults', Nothing, ({ world }) => {
    world.faults.remove();
    return undefined;
  }),
  route('DELETE', '/faults/:id', Nothing, ({ world }, _input, { id = '' }) => {
    if (!world.faults.list().some((fault) => String(fault.id) === id)) return controlNotFound(`fault ${id}`);
    world.faults.remove(Number(id));
    return undefined;
  }),

  route('GET', '/requests', LogQuery, ({ world }, { limit }) => ({
    records: numberedRequests(world, limit).map(({ time, ...entry }) =>
      Object.assign(entry, { time: world.clock.iso(time) }),
    ),
  })),
  route('GET', '/requests/:id/body', Nothing, ({ world }, _input, { id = '' }) => {
    const text = world.requestLog.body(Number(id)) ?? controlNotFound(`the body of request ${id}`);
    try {
      return { body: parseJson(text) };
    } catch {
      return { body: text };
    }
  }),
  route('GET', '/posts', PostQuery, ({ world }, { group, limit }) => ({
    records: world.chat
      .posts(group)
      .slice(-limit)
      .map((row) => ({
        id: row.id,
        groupId: row.groupId,
        webhookId: row.webhookId,
        time: world.clock.iso(row.createdAt),
        post: JSON.parse(row.content) as object,
      })),
  })),
  route('GET', '/subscriptions', Nothing, ({ world }) => ({ records: world.subscriptions.all() })),
  route('GET', '/deliveries', DeliveryQuery, ({ world }, { limit, state }) => ({
    records: world.deliveries
      .all()
      .filter((row) => state === undefined || row.state === state)
      .slice(-limit),
  })),
  route('POST', '/deliveries/:id/replay', Nothing, ({ world }, _input, { id = '' }) => {
    const row = world.deliveries.byId(Number(id)) ?? controlNotFound(`delivery ${id}`);
    const subscription =
      world.subscriptions.byId(row.subscriptionId) ?? controlNotFound(`subscription ${row.subscriptionId}`);
    requireActive(subscription);
    world.inTransaction(() => publish(world, subscription, row.uuid, row.payload));
    return { replayed: row.id, uuid: row.uuid };
  }),

  route(
    'POST',
    '/users/:who/password',
    z.strictObject({ password: z.string().min(1) }),
    ({ world }, { password }, { who = '' }) => changePassword(world, who, password),
  ),
  route('POST', '/users/:who/disable', Nothing, ({ world }, _input, { who = '' }) =>
    setStatus(world, who, 'disable'),
  ),
  route('POST', '/users/:who/enable', Nothing, ({ world }, _input, { who = '' }) =>
    setStatus(world, who, 'enable'),
  ),
  route('DELETE', '/users/:who', Nothing, ({ world }, _input, { who = '' }) => removeUser(world, who)),
  route('POST', '/assertions', z.strictObject({ user: z.string().min(1) }), ({ world }, { user }) =>
    assertionFor(world, user),
  ),
  route(
    'POST',
    '/tokens/revoke',
    z.strictObject({ token: z.string().optional(), user: z.string().optional() }),
    ({ world }, which) => revokeTokens(world, which),
  ),
  route(
    'POST',
    '/rate-limits',
    z.strictObject({ mode: z.enum(['realistic', 'off']) }),
    ({ world }, { mode }) => {
      world.limits.mode = mode;
      world.limits.reset();
      return { mode };
    },
  ),
];

/** Checks that a subscription gets notifications. @throws {ControlError} 409. */
function requireActive({ id, state, status }: SubscriptionRow): void {
  if (state === 'active' && status === 'Active') return;
  const problem = state === 'active' ? `is ${status}` : 'has expired';
  throw new ControlError(409, 'conflict', `subscription ${id} ${problem} and gets no notifications`);
}

/** Returns the newest requests, after the buffered requests were written. */
function numberedRequests(world: ControlContext['world'], limit: number) {
  world.inTransaction(() => world.requestLog.flush());
  return world.requestLog.numbered(limit);
}

function clockState(world: ControlContext['world']) {
  return { time: world.clock.iso(), mode: world.clock.mode };
}
