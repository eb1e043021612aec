import { expect } from 'vitest';
import type { OutputFormat } from '../../src/runtime/output.ts';
import type { Call, Seen, Situations } from './cases.ts';
import { expectValid } from './valid.ts';

/** Columns of the terminal of the matrix. */
export const columns = 100;
export const escape = '\u001B';

/** What is wrong with a run, with its command line and all that it wrote; the empty string when nothing is. */
export function faultOf({ argv, exit, stdout, stderr }: Seen, check: () => void): string {
  try {
    check();
    return '';
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      `ucctl ${argv.join(' ')}`,
      `exit: ${exit}`,
      `stdout: ${stdout}`,
      `stderr: ${stderr}`,
      reason,
    ].join('\n');
  }
}

/** How a run was made. */
export interface Circumstance {
  readonly format: OutputFormat;
  readonly terminal: boolean;
}

/** Exit code, a whole document on stdout, and colours only where they belong. */
export function expectSuccess(result: Seen, call: Call, { format, terminal }: Circumstance): void {
  const { exit, stdout, stderr } = result;
  expect([exit, exit === (call.exit ?? 0) ? '' : stderr]).toEqual([call.exit ?? 0, '']);
  if (!terminal) expect(stdout + stderr).not.toContain(escape);
  if (format !== 'table') expect(stdout).not.toContain(escape);
  if (call.gives === 'nothing') expect(stdout).toBe('');
  if (call.gives === 'nothing' || (format === 'table' && call.table !== undefined)) return;
  expectValid(
    stdout,
    format,
    call.gives === 'stream',
    terminal && call.table === undefined ? columns : undefined,
  );
}

/** Exit code, an error on stderr in the form of the format, and nothing on stdout. */
export function expectFailure(
  result: Seen,
  call: Situations['error'],
  { format, terminal }: Circumstance,
): void {
  const { exit, stdout, stderr } = result;
  expect([exit, stderr]).toEqual([call.exit, expect.anything()]);
  if (call.saysWhat) expectValid(stdout, format, false, undefined);
  else expect(stdout).toBe('');
  if (!terminal) expect(stderr).not.toContain(escape);
  if (format === 'json' || format === 'ndjson') {
    const last = stderr.trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({ error: { code: call.code, exit: call.exit } });
    return;
  }
  expect(stderr).toContain('error:');
  expect(stderr).not.toContain('    at ');
}

/** The JSON documents of an output: one, one a line of a stream, or none. */
export function documentsOf(stdout: string, { gives }: Call): readonly object[] {
  if (gives === 'nothing') return [];
  const texts = gives === 'stream' ? stdout.split('\n').filter((line) => line !== '') : [stdout];
  return texts.map((text) => JSON.parse(text) as object);
}

/** The records in them. */
export function recordsOf(stdout: string, call: Call): readonly object[] {
  return documentsOf(stdout, call).flatMap((document) => document);
}
