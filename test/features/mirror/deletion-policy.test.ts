import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommandError } from '../../../src/errors/command.ts';
import { hintText, type Hint } from '../../../src/errors/hint.ts';
import { choosePolicy, policyOfTasks, storedPolicy } from '../../../src/features/mirror/deletion-policy.ts';
import {
  hasIgnoredPurge,
  saveOnDelete,
  storedOnDelete,
} from '../../../src/features/mirror/sqlite-deletion-policy.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import type { Context } from '../../../src/runtime/context.ts';
import type { OnDelete, StoredOnDelete } from '../../../src/store/reply.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A copy with this stored policy, the policies of tasks, and messages that only `purge` removes. */
function copyWith(stored?: StoredOnDelete, tasks: readonly OnDelete[] = [], removable = 0, hasPurge = false) {
  const saved: StoredOnDelete[] = [];
  const counted: (readonly string[])[] = [];
  const store = {
    onDelete: () => Promise.resolve(stored),
    hasIgnoredPurge: () => Promise.resolve(hasPurge),
    taskPolicies: () => Promise.resolve(tasks),
    removable: (mailboxes: readonly string[]) => {
      counted.push(mailboxes);
      return Promise.resolve(removable);
    },
    saveOnDelete: (policy: StoredOnDelete) => Promise.resolve(void saved.push(policy)),
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
      ['7', '8'],
    );
  return { store, saved, counted, texts, choose };
}

describe('the policy of a copy', () => {
  it.each([
    ['keep', ['mark'], 'keep'],
    ['mark', ['keep'], 'mark'],
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

  it.each([
    [[], 'mark'],
    [['keep'], 'keep'],
  ] as const)(
    'that an earlier version stored as purge, with tasks of %j, is %s with a warning',
    async (tasks, policy) => {
      const { texts, choose } = copyWith(undefined, tasks, 5, true);
      expect([await choose(undefined), texts]).toEqual([
        policy,
        [
          `an earlier version stored --on-delete purge, which now applies only to the runs and tasks that state it; the action is ${policy}, so messages that the service deleted are retained; to remove them: ucctl sync --on-delete purge; to store ${policy}: ucctl sync --on-delete ${policy}`,
        ],
      ]);
      texts.length = 0;
      expect([await choose('purge'), texts.join()]).toEqual([
        'purge',
        expect.not.stringContaining('earlier version'),
      ]);
    },
  );

  it.each(['keep', 'mark'] as const)('%s does not change if it is chosen again', async (policy) => {
    const { saved, texts, choose } = copyWith(policy, [], 5);
    expect([await choose(policy, false), saved, texts]).toEqual([policy, [], []]);
  });

  it.each([
    ['keep', [], 'mark', ['--on-delete mark replaces keep, and applies to later syncs of all mailboxes']],
    [undefined, [], 'keep', []],
    [undefined, ['keep'], 'keep', []],
    [
      undefined,
      ['keep', 'mark'],
      'mark',
      ['--on-delete mark replaces keep, and applies to later syncs of all mailboxes'],
    ],
    [
      'keep',
      ['purge'],
      'mark',
      [
        '--on-delete mark replaces keep, and applies to later syncs of all mailboxes',
        'tasks of the fleet that were enrolled with --on-delete purge still remove messages; to change a task: ucctl fleet enroll --extension EXT --on-delete mark',
      ],
    ],
  ] as const)('%s, with tasks of %j, changes to %s', async (stored, tasks, wanted, warnings) => {
    const { saved, texts, choose } = copyWith(stored, tasks);
    expect([await choose(wanted, false), saved, texts]).toEqual([wanted, [wanted], warnings]);
  });

  it('that is chosen again is reported if tasks remove messages', async () => {
    const { saved, texts, choose } = copyWith('mark', ['mark', 'purge']);
    expect([await choose('mark'), saved, texts]).toEqual([
      'mark',
      [],
      [expect.stringContaining('ucctl fleet enroll --extension EXT --on-delete mark')],
    ]);
  });

  it('removes messages only after confirmation, and never stores purge', async () => {
    const { saved, counted, texts, choose } = copyWith('mark', [], 2);
    await expect(choose('purge', false)).rejects.toThrow(CommandError);
    expect(texts.join()).toContain('--on-delete purge removes 2 messages');
    expect([await choose('purge'), saved]).toEqual(['purge', []]);
    expect(counted).toEqual([
      ['7', '8'],
      ['7', '8'],
    ]);
    const nothing = copyWith('mark');
    expect([await nothing.choose('purge', false), nothing.saved, nothing.texts]).toEqual(['purge', [], []]);
  });
});

describe('the policy of many tasks', () => {
  /** A store that counts the reads of the tasks, and the function that reads its policy. */
  function tasksStore() {
    const state = {
      now: 0,
      reads: 0,
      stored: undefined as StoredOnDelete | undefined,
      tasks: ['mark'] as OnDelete[],
    };
    const policyOf = policyOfTasks(() => state.now);
    const store = {
      onDelete: () => Promise.resolve(state.stored),
      taskPolicies: () => {
        state.reads += 1;
        return state.reads === 1 ? Promise.reject(new Error('no connection')) : Promise.resolve(state.tasks);
      },
    };
    return { state, read: () => policyOf(store) };
  }

  it('reads the tasks once a minute, and the stored policy each time', async () => {
    const { state, read } = tasksStore();
    await expect(read()).rejects.toThrow('no connection');
    expect(await Promise.all([read(), read(), read()])).toEqual(['mark', 'mark', 'mark']);
    state.stored = 'keep';
    expect([await read(), state.reads]).toEqual(['keep', 2]);
    state.stored = undefined;
    state.tasks = ['keep'];
    state.now = 59_999;
    expect([await read(), state.reads]).toEqual(['mark', 2]);
    state.now = 60_000;
    expect([await read(), state.reads]).toEqual(['keep', 3]);
  });
});

it('a file has only the policy that was stored last', () => {
  const db = openDatabase(join(temporaryFolder(), 'copy.sqlite'));
  onTestFinished(() => db.close());
  expect(storedOnDelete(db)).toBeUndefined();
  for (const policy of ['mark', 'keep'] as const) {
    saveOnDelete(db, policy);
    expect(storedOnDelete(db)).toBe(policy);
  }
  db.exec("UPDATE deletion_policy SET on_delete = 'purge'");
  expect([storedOnDelete(db), hasIgnoredPurge(db)]).toEqual([undefined, true]);
  saveOnDelete(db, 'mark');
  expect([storedOnDelete(db), hasIgnoredPurge(db)]).toEqual(['mark', false]);
});
