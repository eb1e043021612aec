import { CommandError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { Action, PolicyGuard } from '../../runtime/policy.ts';
import { readWrittenNumber } from '../../platform/e164.ts';
import { hasNumberRules, violationOf, type Policy } from './policy.ts';

export interface GuardParts {
  readonly policy: Policy;
  /** Whether this is a dry run, which may ignore a read-only profile because it changes nothing. */
  readonly dryRun: boolean;
  now(): number;
  /**
   * Returns the number of messages and calls since `time` (milliseconds since 1970); called only if the policy limits
   * them.
   */
  sentSince(time: number): Promise<number>;
}

const hourMilliseconds = 3_600_000;

/** Creates the policy guard of one run. */
export function createGuard(parts: GuardParts): PolicyGuard {
  const { policy } = parts;
  const effective = parts.dryRun ? { ...policy, readOnly: false } : policy;
  const violationAt = async (action: Action, time: number): Promise<string | undefined> => {
    const isCounted = effective.maxPerHour !== undefined && action.kind !== 'write' && action.count !== 0;
    const sentLastHour = isCounted ? await parts.sentSince(time - hourMilliseconds) : 0;
    const numbers = hasNumberRules(effective) ? await comparableNumbers(action.numbers) : action.numbers;
    return violationOf(effective, { ...action, numbers }, { now: time, sentLastHour });
  };
  return {
    violation: (action) => violationAt(action, parts.now()),
    async check(action) {
      const now = parts.now();
      // The service schedules a fax only for a time in the future (FAX-7).
      const at = Math.max(action.at ?? now, now);
      const reason = await violationAt({ ...action, at }, now);
      if (reason !== undefined) throw policyError(reason);
    },
  };
}

/** Removes the trunk prefixes of numbers, so that the rules apply to them; other text is unchanged. */
async function comparableNumbers(numbers: readonly string[]): Promise<readonly string[]> {
  return await Promise.all(numbers.map(async (written) => (await readWrittenNumber(written)).number));
}

export function policyError(reason: string): CommandError {
  return new CommandError('policy', Exit.blocked, `blocked by the policy of this profile: ${reason}`, {
    hint: nextStep`nothing was sent; to show the rules: ${ucctl('config list')}; to test a number: ${ucctl('policy test NUMBER')}`,
  });
}
