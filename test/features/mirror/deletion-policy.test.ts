import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommandError } from '../../../src/errors/command.ts';
import { hintText, type Hint } from '../../../src/errors/hint.ts';
import { choosePolicy, storedPolicy } from '../../../src/features/mirror/deletion-policy.ts';
import { saveOnDelete, storedOnDelete } from '../../../src/features/mirror/sqlite-deletion-policy.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import type { Context } from '../../../src/runtime/context.ts';
import type { OnDelete } from '../../../src/store/reply.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A copy with this stored policy, the policies of tasks, and messages that only `purge` removes. */
function copyWith(stored?: OnDelete, tasks: readonly OnDelete[] = [], removable = 0) {
  const saved: OnDelete[] = [];
  const store = {
    onDelete: () => Promise.resolve(stored),
    taskPolicies: () => Promise.resolve(tasks),
    removable: () => Promise.resolve(removable),
    saveOnDelete: (policy: OnDelete) => Promise.resolve(void saved.push(policy)),
  };
  const texts: string[] = [];
  const add = (text: Hint): void => void texts.push(hintText(text));
  const choose = (wanted: OnDelete | undefined, answer = true) =>
    choosePolicy(
      {
        dryRun: false,
        out: { preview: add, warn: add },
        prompt: { confirm: () => Promise.resolve(answer) },
      } as unknown as Context,
      store,
      wanted,
    );
  return { store, saved, texts, choose };
}

describe('the policy of a copy', () => {
  it.each([
    ['purge', ['keep'], 'purge'],
    [undefined, [], 'mark'],
    [undefined, ['mark', 'purge'], 'mark'],
    [undefined, ['keep', 'mark', 'purge'], 'keep'],
  ] as const)(
    'that stored %s, with tasks of %j, is %s without --on-delete',
    async (stored, tasks, policy) => {
      const { store, saved, texts, choose } = copyWith(stored, tasks, 5);
      expect([await storedPolicy(store), await choose(undefined)]).toEqual([policy, policy]);
      expect([saved, texts]).toEqual([[], []]);
    },
  );

  it.each(['keep', 'mark', 'purge'] as const)('%s does not change if it is chosen again', async (policy) => {
    const { saved, texts, choose } = copyWith(policy, [], 5);
    expect([await choose(policy, false), saved, texts]).toEqual([policy, [], []]);
  });

  it.each([
    ['keep', [], 'mark', ['--on-delete mark replaces keep, and applies to later syncs of all mailboxes']],
    [undefined, [], 'keep', []],
    [undefined, ['keep'], 'keep', []],
    [
      undefined,
      ['keep', 'mark', 'purge'],
      'purge',
      ['--on-delete purge replaces keep and mark, and applies to later syncs of all mailboxes'],
    ],
  ] as const)('%s, with tasks of %j, changes to %s', async (stored, tasks, wanted, warnings) => {
    const { saved, texts, choose } = copyWith(stored, tasks);
    expect([await choose(wanted, false), saved, texts]).toEqual([wanted, [wanted], warnings]);
  });

  it('changes to purge only after confirmation if messages would be removed', async () => {
    const { saved, texts, choose } = copyWith('mark', [], 2);
    await expect(choose('purge', false)).rejects.toThrow(CommandError);
    expect(saved).toEqual([]);
    expect(texts.join()).toContain('--on-delete purge removes 2 messages');
    expect([await choose('purge'), saved]).toEqual(['purge', ['purge']]);
  });
});

it('a file has only the policy that was stored last', () => {
  const db = openDatabase(join(temporaryFolder(), 'copy.sqlite'));
  onTestFinished(() => db.close());
  expect(storedOnDelete(db)).toBeUndefined();
  for (const policy of ['purge', 'keep'] as const) {
    saveOnDelete(db, policy);
    expect(storedOnDelete(db)).toBe(policy);
  }
});
