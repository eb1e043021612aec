import { describe, expect, it } from 'vitest';
import { confirmRequest, outcomeUnknown } from '../../../src/features/outgoing/index.ts';
import { ConnectionError, OutcomeUnknownError } from '../../../src/errors/service.ts';
import type { Context } from '../../../src/runtime/context.ts';

/** The part of a run that asks for confirmation, with its warnings. */
function runOf(answer: boolean) {
  const stop = new AbortController();
  const warnings: unknown[] = [];
  const ctx = {
    dryRun: false,
    prompt: { confirm: () => Promise.resolve(answer) },
    signal: stop.signal,
    out: { warn: (text: unknown) => void warnings.push(text) },
  } as unknown as Context;
  return { ctx, stop, warnings };
}

describe('a confirmed request', () => {
  it('is sent unless the run was interrupted during the question', async () => {
    const { ctx, stop, warnings } = runOf(true);
    await confirmRequest(ctx, 'Send?');
    expect(warnings).toEqual([]);
    stop.abort(new Error('interrupted'));
    await expect(confirmRequest(ctx, 'Send?')).rejects.toThrow('interrupted');
    expect(warnings).toEqual(['interrupted; nothing was sent']);
    await expect(confirmRequest(runOf(false).ctx, 'Send?')).rejects.toMatchObject({
      code: 'declined',
      exit: 9,
    });
  });

  it('without a reply has an unknown outcome, with the command that checks it', async () => {
    const { ctx } = runOf(true);
    const lost = new OutcomeUnknownError({ method: 'POST', path: '/sms' }, undefined);
    const result = outcomeUnknown(ctx, 'it may be sent', 'look there', () => Promise.reject(lost));
    await expect(result).rejects.toMatchObject({
      code: 'outcome_unknown',
      exit: 14,
      message: 'no reply: it may be sent',
      cause: lost,
    });
  });

  it('that was not sent has the error of the request, and a warning only for an interruption', async () => {
    const { ctx, stop, warnings } = runOf(true);
    const unsent = new ConnectionError('ECONNREFUSED', 'no', 'https://x.example', undefined);
    const work = (error: Error) =>
      outcomeUnknown(ctx, 'what', 'check', async () => {
        throw error;
      });
    stop.abort(new Error('interrupted'));
    await expect(work(unsent)).rejects.toBe(unsent);
    expect(warnings).toEqual([]);
    await expect(work(stop.signal.reason as Error)).rejects.toBe(stop.signal.reason);
    expect(warnings).toEqual(['interrupted; nothing was sent']);
  });
});
