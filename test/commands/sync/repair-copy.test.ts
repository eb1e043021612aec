import { describe, expect, it } from 'vitest';
import { repairCopy } from '../../../src/commands/sync/repair-copy.ts';
import { hintText, type Hint } from '../../../src/errors/hint.ts';
import type { Context } from '../../../src/runtime/context.ts';

describe('the repair of a local mailbox copy', () => {
  it('ends with the interruption of the run, and reports the repaired messages', async () => {
    const end = new AbortController();
    const notes: string[] = [];
    const done: string[] = [];
    const ctx = {
      signal: end.signal,
      out: { note: (text: Hint) => notes.push(hintText(text)) },
    } as unknown as Context;
    const messages = {
      repairIndex: () => Promise.resolve(false),
      repairColumns: (id: string) => {
        done.push(id);
        if (id === '8') end.abort(new Error('interrupted'));
        return Promise.resolve(2);
      },
    };
    await expect(repairCopy(ctx, messages, ['7', '8', '9'])).rejects.toThrow('interrupted');
    expect([done, notes]).toEqual([['7', '8'], ['Repaired the columns of 4 messages.']]);
  });
});
