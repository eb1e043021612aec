import type { Postgres } from '../platform/postgres/postgres.ts';
import type { Call } from '../client/index.ts';
import type { PolicyGuard } from '../runtime/policy.ts';
import type { Settings } from '../runtime/settings.ts';
import type { Parts } from './parts.ts';

/** Whether the settings contain a policy to check before each request. */
export function hasPolicy(settings: Settings): boolean {
  const { allowPrefixes, forbidPrefixes, quietHours, maxPerHour, readOnly } = settings;
  return (
    allowPrefixes.value.length > 0 ||
    forbidPrefixes.value.length > 0 ||
    quietHours.value !== undefined ||
    maxPerHour.value !== undefined ||
    readOnly.value
  );
}

/** Returns what the journal of sends needs. Its waits for a restart of the store end when the run is interrupted. */
export function sendJournalParts({ system, settings, paths }: Parts, store: () => Promise<Postgres>) {
  return {
    settings,
    paths,
    store,
    now: () => system.now(),
    sleep: (milliseconds: number) => system.sleep(milliseconds, system.signal),
  };
}

/** Returns the policy of the profile. */
export async function createPolicy(parts: Parts, store: () => Promise<Postgres>): Promise<PolicyGuard> {
  const { system, globals, settings } = parts;
  const { createGuard, policyOf } = await import('../features/policy/index.ts');
  return createGuard({
    policy: policyOf(settings, { tz: system.env['TZ'], now: system.now() }),
    dryRun: globals.dryRun ?? false,
    now: () => system.now(),
    async sentSince(time) {
      const { openSendJournal } = await import('../features/outcome-journal/index.ts');
      const journal = await openSendJournal(sendJournalParts(parts, store));
      try {
        const origin = new URL(settings.baseUrl.value ?? 'http://localhost').origin;
        return await journal.countSince({ profile: settings.profile.value, origin }, time);
      } finally {
        journal.close();
      }
    },
  });
}

/** Checks a request against the policy; called for every request of every command. */
export async function checkCall(policy: PolicyGuard, call: Call): Promise<void> {
  const { actionOf } = await import('../features/policy/index.ts');
  const action = actionOf(call);
  // The hourly count is checked by the journal of outcomes, which all processes share.
  if (action) await policy.check({ ...action, count: 0 });
}

/** The hourly limit of messages and calls, called by the journal of outcomes before each send. */
export async function hourlyLimit(max: number): Promise<(sentLastHour: number, more: number) => void> {
  const { hourlyViolation, policyError } = await import('../features/policy/index.ts');
  return (sentLastHour, more) => {
    const reason = hourlyViolation(max, more, sentLastHour);
    if (reason !== undefined) throw policyError(reason);
  };
}
