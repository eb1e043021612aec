import { usageError, type CommandError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { parseJson, stringifyJson } from '../../platform/json.ts';
import { lookupTable } from '../../platform/lookup-table.ts';
import { nameOf } from './input-name.ts';

/** A noun whose `plan` command saves plans, and whose `apply` command applies them. */
export type PlanNoun = 'agent' | 'hours' | 'queue' | 'rule';

/** The nouns by the member `of` of their plans. */
const nounOfKind: Readonly<Record<string, PlanNoun>> = lookupTable({
  'agent.settings': 'agent',
  'hours.schedule': 'hours',
  'rule.settings': 'rule',
});

/** Milliseconds after which the present state is read again before a confirmed plan is applied. */
const quickAnswerMilliseconds = 2000;

/** Whether a plan was confirmed so soon after `shownAt` that it is still current. False after a change of the clock. */
export function isQuickAnswer(shownAt: number, now: number): boolean {
  return Math.abs(now - shownAt) <= quickAnswerMilliseconds;
}

/** Parses the JSON of a saved plan. @throws {RangeError} with a message for the user. */
export function parsePlan(text: string): unknown {
  try {
    // A list that was not UTF-8, or that an editor saved, begins with a byte-order mark.
    return parseJson(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new RangeError(`the plan is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the error for a plan of another version. @param readable the versions that can be read, such as `version 1` */
export function unreadableVersion({ version }: { readonly version?: unknown }, readable: string): RangeError {
  const has = version === undefined ? 'no version' : `version ${stringifyJson(version)}`;
  return new RangeError(`the plan has ${has}, but this version of ucctl reads only ${readable}`);
}

/** Returns the noun of a saved plan; undefined if the text is not a saved plan of a known kind. */
function nounOfPlan(text: string): PlanNoun | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  if (text.includes('"ucctl-queue-plan"')) return 'queue';
  if (!text.includes('"ucctl-resource-plan"')) return undefined;
  return nounOfKind[/"of":\s*"([\w.]+)"/.exec(text)?.[1] ?? ''];
}

/**
 * Returns the usage error for a saved plan that a command cannot read, with the command that applies the plan.
 * Undefined for lists and for plans of `own`.
 */
export function otherPlanError(
  text: string,
  file: string,
  own: PlanNoun | undefined,
): CommandError | undefined {
  const noun = nounOfPlan(text);
  if (noun === undefined || noun === own) return undefined;
  return usageError(
    `${nameOf(file)} is a saved plan of ucctl ${noun} plan, which this command cannot read`,
    nextStep`apply the plan: ${ucctl`${noun} apply -f ${file}`}; nothing was sent`,
  );
}
