import type { HttpSend } from '../../src/client/index.ts';
import type { SandboxSettings } from '../../src/sandbox/index.ts';
import type { RunOptions, RunResult } from '../support/run-ucctl.ts';
import { openOffice, type Office } from './office.ts';

/** An office whose clock is that of the command too: waiting in a command puts the sandbox forward, so that nothing takes time. */
export async function openLiveOffice(
  who = 'administrator',
  settings: Partial<SandboxSettings> = {},
  around?: (send: HttpSend) => HttpSend,
): Promise<Office> {
  const office = await openOffice(who, around, ':memory:', { settings });
  const { sandbox } = office;
  const run = (argv: string | readonly string[], options?: RunOptions): Promise<RunResult> =>
    office.run(argv, {
      now: () => sandbox.clock.now(),
      sleep: async (milliseconds, signal) => {
        signal.throwIfAborted();
        await sandbox.clock.advance(milliseconds);
      },
      ...options,
    });
  return { ...office, run };
}

/** The lines of an NDJSON stream. */
export function ndjson(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}
