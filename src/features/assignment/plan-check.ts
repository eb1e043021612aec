import { isJsonObject } from '../../platform/json.ts';
import { areTexts, isRunInput, isShareLimit } from '../bulk/index.ts';

type Members = Readonly<Record<string, unknown>>;

/** Names of members that depend on the version of a plan. */
export interface VersionedNames {
  /** The requested action of a change. */
  readonly requested: string;
  /** The list of skipped rows. */
  readonly skipped: string;
}

/**
 * Whether the parsed document of a plan has all members that its version needs, each in its form. A damaged plan must not be
 * applied as if the unreadable part were missing.
 */
export function isWholePlan(document: Members, names: VersionedNames): boolean {
  const { version, baseUrl, changes, problems, before, input } = document;
  return (
    typeof baseUrl === 'string' &&
    areAll(changes, (change) => isChange(change, change[names.requested])) &&
    areTexts(problems) &&
    isJsonObject(before) &&
    Object.values(before).every(areTexts) &&
    isRunInput(input) &&
    (version === 1 || hasSafety(document, document[names.skipped]))
  );
}

function areAll(value: unknown, isOne: (item: Members) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isJsonObject(item) && isOne(item));
}

function isChange(change: Members, requested: unknown): boolean {
  const { queue, queueName, extension, agentName, queueId, agentId, action, rows } = change;
  return (
    areTexts([queue, queueName, extension, agentName, queueId, agentId]) &&
    (action === 'add' || action === 'remove' || action === 'none') &&
    (requested === 'add' || requested === 'remove') &&
    (rows === undefined || Array.isArray(rows))
  );
}

/** Whether a plan of version 2 or 3 has its skipped rows, its safety limits, and the limits that it exceeded. */
function hasSafety({ contradictions, limits, guards }: Members, skipped: unknown): boolean {
  return (
    areAll(skipped, () => true) &&
    areTexts(contradictions) &&
    areLimits(limits) &&
    areAll(guards, ({ kind }) => typeof kind === 'string')
  );
}

function areLimits(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { maxRemovals, allowEmpty, protectedIds } = value;
  return (
    (maxRemovals === null || isShareLimit(maxRemovals)) &&
    typeof allowEmpty === 'boolean' &&
    areTexts(protectedIds)
  );
}
