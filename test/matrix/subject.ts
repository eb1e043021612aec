import { expect } from 'vitest';
import type { AnyCommandSpec } from '../../src/runtime/define.ts';
import type { OutputFormat } from '../../src/runtime/output.ts';
import type { Call, Seen, Situations } from './cases.ts';
import type { Desk } from './desk.ts';
import { expectFailure, expectSuccess, faultOf } from './outcome.ts';
import { optionsOf, type Shot, shownFormat, wordsOf } from './shoot.ts';

/** One command of the matrix: its cases, and how it is run. */
export interface Subject {
  readonly spec: AnyCommandSpec;
  readonly situations: Situations;
  readonly desk: () => Desk;
  readonly run: (shot: Shot) => Promise<Seen>;
}

/** Checks a success in a format (undefined: without `-o`), in a pipe or on a terminal. */
export async function faultOfSuccess(
  { spec, run }: Subject,
  call: Call,
  format: OutputFormat | undefined,
  terminal: boolean,
): Promise<string> {
  const seen = await run({ call, format, terminal });
  const shown = { format: shownFormat(spec, call, format, terminal), terminal };
  return faultOf(seen, () => expectSuccess(seen, call, shown));
}

/** Checks a failure in the same way. */
export async function faultOfFailure(
  { spec, situations: { error }, run }: Subject,
  format: OutputFormat | undefined,
  terminal: boolean,
): Promise<string> {
  const seen = await run({ call: error, format, terminal });
  const shown = { format: shownFormat(spec, error, format, terminal), terminal };
  return faultOf(seen, () => expectFailure(seen, error, shown));
}

/** The fault of a run with invalid flags: it must exit with 2, without a request and without output. */
export async function faultOfUsageError({
  spec,
  desk,
  call,
  flags,
}: {
  readonly spec: AnyCommandSpec;
  readonly desk: Desk;
  readonly call: Call;
  readonly flags: readonly string[];
}): Promise<string> {
  const words = await wordsOf(call, desk);
  desk.writes();
  const argv = [...spec.path, ...flags, ...words];
  const seen = { ...(await desk.run(argv, optionsOf(call, false))), argv };
  const writes = desk.writes();
  return faultOf(seen, () => {
    expect([seen.exit, seen.stdout, writes]).toEqual([2, '', []]);
    expect(seen.stderr).toContain('error');
  });
}
