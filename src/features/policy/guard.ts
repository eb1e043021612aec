import { CommandError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { Action, PolicyGuard } from '../../runtime/policy.ts';
import { judgeAction, type Policy } from './policy.ts';

export interface GuardParts {
  readonly policy: Policy;
  /** Under dry run nothing is changed, so that a read-only profile may look at what would be. */
  readonly dryRun: boolean;
  now(): number;
  /** Messages and calls since a moment, milliseconds since 1970; asked only where the policy counts them. */
  sentSince(time: number): Promise<number>;
}

const hourMilliseconds = 3_600_000;

/** The guard of one run. */
export function createGuard(parts: GuardParts): PolicyGuard {
  const { policy } = parts;
  const effective = parts.dryRun ? { ...policy, readOnly: false } : policy;
  const refusal = async (action: Action): Promise<string | undefined> => {
    const time = parts.now();
    const isCounted = effective.maxPerHour !== undefined && action.kind !== 'write' && action.count !== 0;
    const sentLastHour = isCounted ? await parts.sentSince(time - hourMilliseconds) : 0;
    return judgeAction(effective, action, { now: time, sentLastHour });
  };
  return {
    refusal,
    async check(action) {
      const reason = await refusal(action);
      if (reason !== undefined) throw policyError(reason);
    },
  };
}

/** What a refusal of the policy ends with. */
export function policyError(reason: string): CommandError {
  return new CommandError('policy', Exit.refused, `the policy of this profile forbids it: ${reason}`, {
    hint: nextStep`nothing was sent; the rules: ${ucctl('config list')}, try them: ${ucctl('policy test NUMBER')}`,
  });
}
