import { isJsonObject } from '../../platform/json.ts';
import { areTexts, isShareLimit } from '../bulk/index.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Whether the parsed document of a plan has all members that its version needs, each in its form. A damaged plan must not be
 * applied as if the unreadable part were missing.
 */
export function isWholePlan(document: Members): boolean {
  const { version, baseUrl, changes, problems, before, input } = document;
  return (
    typeof baseUrl === 'string' &&
    areAll(changes, (change) => isChange(change, change[version === 3 ? 'requested' : 'wish'])) &&
    areTexts(problems) &&
    isJsonObject(before) &&
    Object.values(before).every(areTexts) &&
    isJsonObject(input) &&
    (version === 1 || hasSafety(document))
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
function hasSafety({ version, skipped, refused, contradictions, limits, guards }: Members): boolean {
  return (
    areAll(version === 3 ? skipped : refused, () => true) &&
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
