import { z } from 'zod';
import type { World } from '../world/world.ts';
import { runTrigger } from './triggers.ts';

const trafficKinds = ['sms', 'presence', 'call', 'voicemail', 'fax', 'pager'] as const;
const key = 'traffic';
const timer = 'traffic.next';

/** Settings of the traffic generator. `perMinute` counts events per minute of the sandbox clock. */
export const TrafficRequest = z.strictObject({
  perMinute: z.number().positive().max(60_000),
  kinds: z
    .array(z.enum(trafficKinds))
    .min(1)
    .default([...trafficKinds]),
  /** Duration of the traffic; without a duration it runs until it is stopped. */
  seconds: z.number().positive().optional(),
});
type TrafficRequest = z.infer<typeof TrafficRequest>;

interface TrafficState extends TrafficRequest {
  readonly running: boolean;
  readonly made: number;
  /** The end of the traffic in milliseconds since 1970. */
  readonly until?: number | undefined;
  /** Time at which the next event is due, in milliseconds since 1970. */
  readonly nextAt: number;
}

/**
 * Milliseconds: events that are late by at most this time, e.g. on a busy machine, are still generated. After a longer
 * gap, e.g. while the sandbox was stopped, they are skipped.
 */
const longestCatchUp = 5000;

/**
 * The traffic generator. Its state and timer are in the database, so the traffic resumes after the process was killed.
 * The same seed generates the same traffic.
 */
export class Traffic {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  state(): TrafficState | { readonly running: false } {
    const text = this.#world.meta.get(key);
    return text === undefined ? { running: false } : (JSON.parse(text) as TrafficState);
  }

  start(request: TrafficRequest) {
    const world = this.#world;
    const { seconds } = request;
    const until = seconds === undefined ? undefined : world.clock.now() + seconds * 1000;
    world.inTransaction(() => {
      schedule(world, { ...request, running: true, made: 0, until, nextAt: world.clock.now() });
    });
    return this.state();
  }

  stop() {
    const state = this.state();
    this.#world.inTransaction(() => {
      this.#world.timers.cancel(timer, 'traffic');
      if ('made' in state) save(this.#world, { ...state, running: false });
    });
    return this.state();
  }
}

/** The timer handlers of the traffic generator, by kind of timer. */
export const trafficTimers = {
  [timer]: (world: World) => {
    const text = world.meta.get(key);
    if (text === undefined) return;
    const state = JSON.parse(text) as TrafficState;
    const now = world.clock.now();
    if (state.until !== undefined && now >= state.until) {
      save(world, { ...state, running: false });
      return;
    }
    schedule(world, { ...state, made: state.made + 1, nextAt: Math.max(state.nextAt, now - longestCatchUp) });
    makeOne(world, state);
  },
};

function makeOne(world: World, { kinds, made }: TrafficState): void {
  const kind = kinds[world.random.below(kinds.length)] ?? 'sms';
  const id = world.picks.user(world.random.below(world.picks.users()));
  const person = id === undefined ? undefined : world.extensions.byId(id);
  if (!person) return;
  const who = person.extensionNumber ?? String(person.id);
  const from = `+1415555${String(world.random.below(10_000)).padStart(4, '0')}`;
  if (kind === 'presence') {
    const userStatus = ['Available', 'Busy', 'Offline'][world.random.below(3)];
    runTrigger(world, 'presence', { extension: who, userStatus });
    return;
  }
  if (kind === 'call' || kind === 'fax') {
    runTrigger(world, kind, { to: who, from });
    return;
  }
  if (kind === 'voicemail') {
    // Generated voicemails are short, so that a week of traffic needs little disk space.
    runTrigger(world, kind, { to: who, from, seconds: 1 });
    return;
  }
  if (kind === 'pager') {
    runTrigger(world, kind, { to: who, text: `Page number ${made + 1}` });
    return;
  }
  runTrigger(world, 'sms', { to: who, from, text: `Text number ${made + 1}` });
}

/** Milliseconds until the next event: half to one and a half times the mean. */
function gap(world: World, perMinute: number): number {
  return Math.max(1, Math.round((60_000 / perMinute) * (0.5 + world.random.below(1000) / 1000)));
}

/** Saves the state and schedules the next event. The interval is added to the due time of the previous event. */
function schedule(world: World, state: TrafficState): void {
  const nextAt = state.nextAt + gap(world, state.perMinute);
  save(world, { ...state, nextAt });
  world.timers.set(timer, 'traffic', nextAt);
}

function save(world: World, state: TrafficState): void {
  world.meta.set(key, JSON.stringify(state));
}
