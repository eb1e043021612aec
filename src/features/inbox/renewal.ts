import type { Subscription } from '../../contract/subscription.ts';
import { RENEW_BEFORE_EXPIRY_SECONDS } from '../../contract/limits.ts';

/** Longest single wait: timers hold no more than 24 days, and a machine that slept is noticed within this. */
const longestWait = 60_000;
const retryWait = 10_000;
const shortestWait = 1000;

export interface RenewalSettings {
  readonly subscription: Subscription;
  renew(id: string): Promise<Subscription>;
  now(): number;
  /** Rejects when the listening ends. */
  sleep(milliseconds: number): Promise<void>;
  readonly onRenewed: (subscription: Subscription) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Renews a subscription 90 s before each of its ends (specification, Limits: 1 to 2 minutes), a short-lived one at half its life. Tries again
 * every 10 s after a failure. Runs until `sleep` rejects.
 */
export async function keepRenewed(settings: RenewalSettings): Promise<never> {
  let { subscription } = settings;
  let due = dueTime(subscription, settings.now());
  while (true) {
    const wait = due - settings.now();
    if (wait > 0) {
      await settings.sleep(Math.min(wait, longestWait));
      continue;
    }
    try {
      subscription = await settings.renew(subscription.id);
      settings.onRenewed(subscription);
      due = dueTime(subscription, settings.now());
    } catch (error) {
      settings.onFailure(error);
      due = settings.now() + retryWait;
    }
  }
}

/** When to renew, in milliseconds since 1970. Counts from the remaining seconds where the service tells them: they need no agreeing clocks. */
export function dueTime(subscription: Subscription, now: number): number {
  const { expiresIn, expirationTime } = subscription;
  const left = expiresIn === undefined ? Date.parse(expirationTime) - now : expiresIn * 1000;
  const lead = Math.min(RENEW_BEFORE_EXPIRY_SECONDS * 1000, left / 2);
  // An end that has passed by this machine's clock must not make a storm of requests.
  return now + Math.max(left - lead, shortestWait);
}
