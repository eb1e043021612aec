import type { Subscription } from '../../../contract/subscription.ts';
import { channelSubscriptionSeconds, renewBeforeExpirySeconds } from '../../../contract/limits.ts';
import { ConnectionError, SignInRequiredError } from '../../../errors/service.ts';
import { isMissingResource } from '../../../errors/service-codes.ts';

/** Maximum single wait in milliseconds, so that ucctl detects a sleep of the machine soon after the sleep ends. */
const maxWait = 30_000;
const retryDelay = 10_000;
const minWait = 1000;
/** Milliseconds between two checks whether the subscription is still active. */
const checkInterval = 60_000;
/** If a wait takes this many milliseconds longer than requested, the machine or the process slept. */
const sleepTolerance = 15_000;

/** A period in which events may have been missed. Times are in milliseconds since 1970. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

/** Requests that the renewal sends. */
export interface SubscriptionPort {
  create(): Promise<Subscription>;
  get(id: string): Promise<Subscription>;
  renew(id: string): Promise<Subscription>;
  /** Deletes the subscription, unless another program may have created it. */
  delete(id: string): Promise<void>;
}

export interface RenewalSettings {
  readonly subscription: Subscription;
  readonly port: SubscriptionPort;
  now(): number;
  /** Waits; rejects when the session is closed. */
  sleep(milliseconds: number): Promise<void>;
  /** Called with the subscription after every reply; any member may have changed. */
  readonly onUpdate: (subscription: Subscription, how: 'read' | 'renewed' | 'created') => void;
  /** Called with the first failure in a row, and with the first one that requires another sign-in. */
  readonly onFailure: (error: unknown) => void;
  readonly onGap: (gap: Gap) => void;
}

interface State {
  subscription: Subscription;
  renewAt: number;
  checkAt: number;
  /** Time of the last reply that showed an active subscription. */
  lastSuccessAt: number;
  /** The first failure since the last success, and whether a failure required another sign-in. */
  failure?: { readonly error: unknown; readonly isSignedOut: boolean } | undefined;
}

/**
 * Keeps one subscription active until `sleep` rejects. Renews it 90 s before it expires (SUBSCRIPTION-23), or after
 * half of a short lifetime. Checks the subscription every minute, and recreates it when it is lost. Deletes a
 * blacklisted subscription before it recreates it (CLIENT-14). Retries every 10 s after a failure.
 */
export async function renewSubscription(settings: RenewalSettings): Promise<never> {
  const now = settings.now();
  const state: State = {
    subscription: settings.subscription,
    renewAt: renewalTime(settings.subscription, now),
    checkAt: now + checkInterval,
    lastSuccessAt: now,
  };
  for (;;) {
    const before = settings.now();
    const wait = Math.min(state.renewAt - before, state.checkAt - before, maxWait);
    if (wait > 0) {
      await settings.sleep(wait);
      detectSleep(state, settings, before, wait);
      continue;
    }
    await renewOrCheck(state, settings, before >= state.renewAt);
  }
}

function detectSleep(state: State, settings: RenewalSettings, before: number, wait: number): void {
  const now = settings.now();
  if (now < before) {
    // The clock was set back, so all deadlines are moved by the same amount.
    const shift = now - (before + wait);
    state.renewAt += shift;
    state.checkAt = now;
    state.lastSuccessAt += shift;
    return;
  }
  if (now - before <= wait + sleepTolerance) return;
  settings.onGap({ from: before, to: now, reason: 'this machine or process was suspended' });
  state.checkAt = now;
}

async function renewOrCheck(state: State, settings: RenewalSettings, isDue: boolean): Promise<void> {
  const { port } = settings;
  try {
    const { id } = state.subscription;
    const current = await (isDue ? port.renew(id) : port.get(id)).catch((error: unknown) => {
      if (isMissingResource(error)) return undefined;
      throw error;
    });
    if (!current) await replace(state, settings, 'the subscription was lost');
    else if (isInactive(current)) {
      await port.delete(current.id).catch(() => undefined);
      const { status } = current;
      const reason = isStopped(current) ? `the subscription was ${status}` : 'the subscription had expired';
      await replace(state, settings, reason);
    } else recordSuccess(state, settings, current, isDue ? 'renewed' : 'read');
  } catch (error) {
    const { failure } = state;
    const isSignedOut = error instanceof SignInRequiredError;
    if (!failure || (isSignedOut && !failure.isSignedOut)) settings.onFailure(error);
    state.failure = {
      error: failure ? failure.error : error,
      isSignedOut: isSignedOut || failure?.isSignedOut === true,
    };
    const retryAt = settings.now() + retryDelay;
    state.checkAt = retryAt;
    if (isDue) state.renewAt = retryAt;
  }
}

async function replace(state: State, settings: RenewalSettings, reason: string): Promise<void> {
  const from = state.lastSuccessAt;
  recordSuccess(state, { ...settings, onGap: () => undefined }, await settings.port.create(), 'created');
  settings.onGap({ from, to: settings.now(), reason });
}

function recordSuccess(
  state: State,
  settings: RenewalSettings,
  subscription: Subscription,
  how: 'read' | 'renewed' | 'created',
): void {
  const now = settings.now();
  if (state.failure)
    settings.onGap({ from: state.lastSuccessAt, to: now, reason: gapReason(state.failure.error) });
  state.subscription = subscription;
  state.failure = undefined;
  state.lastSuccessAt = now;
  state.checkAt = now + checkInterval;
  if (how !== 'read') state.renewAt = renewalTime(subscription, now);
  settings.onUpdate(subscription, how);
}

/** After a failure other than a missing reply, such as the end of the session, events may still have arrived. */
function gapReason(failure: unknown): string {
  return failure instanceof ConnectionError ? 'the service was unreachable' : 'events may be missing';
}

/**
 * The clock of this machine does not matter: a request for an expired subscription returns 404 (SUBSCRIPTION-26), so that
 * a subscription that the service shows as active exists.
 */
function isInactive(subscription: Subscription): boolean {
  return isStopped(subscription) || (subscription.expiresIn ?? 1) <= 0;
}

/**
 * Whether the status says that the service sends no events. A subscription without a status, or with an unknown one,
 * exists, so it must not be deleted.
 */
export function isStopped({ status }: Subscription): boolean {
  return status === 'Suspended' || status === 'Blacklisted';
}

/**
 * Milliseconds until the subscription expires. `expiresIn` has precedence, because it does not depend on the clock of
 * this machine. Both members are optional; if neither is readable, or the clock is after the time of expiry and thus
 * wrong, this is the shorter default of the service.
 */
function lifetimeOf({ expiresIn, expirationTime }: Subscription, now: number): number {
  if (expiresIn !== undefined) return expiresIn * 1000;
  const left = Date.parse(expirationTime) - now;
  return left > 0 ? left : channelSubscriptionSeconds.default * 1000;
}

/** Returns the time of the next renewal, in milliseconds since 1970. */
export function renewalTime(subscription: Subscription, now: number): number {
  const left = lifetimeOf(subscription, now);
  const lead = Math.min(renewBeforeExpirySeconds * 1000, left / 2);
  // Requests must be paced even if the subscription has expired according to the clock of this machine.
  return now + Math.max(left - lead, minWait);
}
