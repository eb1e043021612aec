import type { Subscription } from '../../../contract/subscription.ts';
import { renewBeforeExpirySeconds } from '../../../contract/limits.ts';
import { isRefusedWith } from '../../../errors/service.ts';

/** Longest single wait: an end of the subscription, or of a sleep of the machine, is noticed within this. */
const longestWait = 30_000;
const retryWait = 10_000;
const shortestWait = 1000;
/** How often the service is asked whether the subscription still delivers. */
const checkWait = 60_000;
/** A wait that took this much longer than asked for means that the machine or the process slept. */
const sleepTolerance = 15_000;

/** A time in which the service may have had nothing to deliver to. Milliseconds since 1970. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

/** What the renewal asks of the service. */
export interface SubscriptionPort {
  create(): Promise<Subscription>;
  get(id: string): Promise<Subscription>;
  renew(id: string): Promise<Subscription>;
  delete(id: string): Promise<void>;
}

export interface RenewalSettings {
  readonly subscription: Subscription;
  readonly port: SubscriptionPort;
  now(): number;
  /** Rejects when the listening ends. */
  sleep(milliseconds: number): Promise<void>;
  /** Called with the service's copy after every answer; any field may differ from before. */
  readonly onCopy: (subscription: Subscription, how: 'read' | 'renewed' | 'created') => void;
  /** Called with the first failure in a row. */
  readonly onFailure: (error: unknown) => void;
  readonly onGap: (gap: Gap) => void;
}

interface State {
  subscription: Subscription;
  due: number;
  checkAt: number;
  /** When the last answer came that showed that all is well. */
  wellAt: number;
  failing: boolean;
}

/**
 * Keeps one subscription delivering: renews it 90 s before each of its ends (SUBSCRIPTION-23), a short-lived one at
 * half its life; looks at it every minute; creates it anew when it is gone, and deletes it first when it is blacklisted
 * (CLIENT-14). Tries again every 10 s after a failure. Runs until `sleep` rejects.
 */
export async function renewSubscription(settings: RenewalSettings): Promise<never> {
  const now = settings.now();
  const state: State = {
    subscription: settings.subscription,
    due: dueTime(settings.subscription, now),
    checkAt: now + checkWait,
    wellAt: now,
    failing: false,
  };
  for (;;) {
    const before = settings.now();
    const wait = Math.min(state.due - before, state.checkAt - before, longestWait);
    if (wait > 0) {
      await settings.sleep(wait);
      noticeSleep(state, settings, before, wait);
      continue;
    }
    await turn(state, settings, before >= state.due);
  }
}

function noticeSleep(state: State, settings: RenewalSettings, before: number, wait: number): void {
  const now = settings.now();
  if (now < before) {
    // The clock was put back: what was to come at a time of it comes after as long a wait as before.
    const back = now - (before + wait);
    state.due += back;
    state.checkAt = now;
    state.wellAt += back;
    return;
  }
  if (now - before <= wait + sleepTolerance) return;
  settings.onGap({ from: before, to: now, reason: 'this machine or process slept' });
  state.checkAt = now;
}

async function turn(state: State, settings: RenewalSettings, isDue: boolean): Promise<void> {
  const { port } = settings;
  try {
    const { id } = state.subscription;
    const copy = await (isDue ? port.renew(id) : port.get(id)).catch((error: unknown) => {
      if (isRefusedWith(error, 404)) return undefined;
      throw error;
    });
    if (!copy) await replace(state, settings, 'the subscription was gone');
    else if (isDead(copy, settings.now())) {
      await port.delete(id).catch(() => undefined);
      await replace(state, settings, `the subscription was ${copy.status}`);
    } else well(state, settings, copy, isDue ? 'renewed' : 'read');
  } catch (error) {
    if (!state.failing) settings.onFailure(error);
    state.failing = true;
    const again = settings.now() + retryWait;
    state.checkAt = again;
    if (isDue) state.due = again;
  }
}

async function replace(state: State, settings: RenewalSettings, reason: string): Promise<void> {
  const from = state.wellAt;
  well(state, { ...settings, onGap: () => undefined }, await settings.port.create(), 'created');
  settings.onGap({ from, to: settings.now(), reason });
}

function well(
  state: State,
  settings: RenewalSettings,
  copy: Subscription,
  how: 'read' | 'renewed' | 'created',
): void {
  const now = settings.now();
  if (state.failing) settings.onGap({ from: state.wellAt, to: now, reason: 'the service was not reached' });
  state.subscription = copy;
  state.failing = false;
  state.wellAt = now;
  state.checkAt = now + checkWait;
  if (how !== 'read') state.due = dueTime(copy, now);
  settings.onCopy(copy, how);
}

function isDead({ status, expiresIn, expirationTime }: Subscription, now: number): boolean {
  if (status !== 'Active') return true;
  return expiresIn === undefined ? Date.parse(expirationTime) <= now : expiresIn <= 0;
}

/** When to renew, in milliseconds since 1970. Counts from the remaining seconds where the service tells them: they need no agreeing clocks. */
export function dueTime(subscription: Subscription, now: number): number {
  const { expiresIn, expirationTime } = subscription;
  const left = expiresIn === undefined ? Date.parse(expirationTime) - now : expiresIn * 1000;
  const lead = Math.min(renewBeforeExpirySeconds * 1000, left / 2);
  // An end that has passed by this machine's clock must not make a storm of requests.
  return now + Math.max(left - lead, shortestWait);
}
