import { CommandError, Exit } from '../../errors/command.ts';
import type { Context } from '../../runtime/context.ts';
import type { ResourceChange, ResourceKind } from './change.ts';
import { findDrift } from './compare.ts';

/**
 * Reads the current settings. @throws {CommandError} `stale_plan` (exit 11) if the settings have changed since the plan
 * was made. The error lists the changes and, if the audit trail may be read, the users who made them.
 * @param expected `either` for the changes of an interrupted run, some of which may be made
 */
export async function requireSameResources(
  ctx: Pick<Context, 'out' | 'signal'>,
  kind: ResourceKind,
  changes: readonly ResourceChange[],
  expected: 'before' | 'either' = 'before',
): Promise<void> {
  const details = await resourceDrift(ctx, kind, changes, expected);
  if (details.length === 0) return;
  throw new CommandError(
    'stale_plan',
    Exit.conflict,
    `the ${kind.noun}s have changed since the plan was created`,
    {
      details,
      hint:
        expected === 'before'
          ? 'nothing was sent; create the plan again'
          : 'run the command with the file again instead of resuming; nothing was sent',
    },
  );
}

/**
 * Reads the current settings. Returns a text for each resource whose settings have changed since the plan was made, with
 * the users who made the changes if the audit trail may be read.
 * @param expected as for `requireSameResources`
 */
export async function resourceDrift(
  ctx: Pick<Context, 'out' | 'signal'>,
  kind: ResourceKind,
  changes: readonly ResourceChange[],
  expected: 'before' | 'either' = 'before',
): Promise<readonly string[]> {
  if (changes.length === 0) return [];
  const present = await ctx.out.progress(`reading ${kind.noun}s`, () => kind.read(changes, ctx.signal));
  const drift = findDrift(changes, present, expected, kind);
  if (drift.length === 0) return [];
  const who = await kind.whoChanged?.(drift.map(({ ref }) => ref));
  return drift.map(({ ref, texts }) => {
    const by = who?.get(ref.key);
    return `${kind.noun} ${ref.title}: ${texts.join('; ')}${by === undefined ? '' : ` (${by})`}`;
  });
}
