import { expect } from 'vitest';
import type { OutputFormat } from '../../src/runtime/output.ts';
import type { Call, Seen, Situations } from './cases.ts';
import { expectValid } from './valid.ts';

/** Columns of the terminal in the matrix. */
export const columns = 100;
export const escape = '\u001B';

/** The fault of a run, with its command line and its output; the empty string when there is none. */
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

/** Checks the exit code, a complete document on stdout, and that colours occur only where they belong. */
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

/** Checks the exit code, an error on stderr in the output format, and that stdout is empty. */
export function expectFailure(
  result: Seen,
  call: Situations['error'],
  { format, terminal }: Circumstance,
): void {
  const { exit, stdout, stderr } = result;
  expect([exit, stderr]).toEqual([call.exit, expect.anything()]);
  if (call.saysWhat) expectValid(stdout, format, false, undefined);
  else if (!terminal && (format === 'table' || format === 'tsv')) expect(stdout).toBe(call.forShell ?? '');
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

/** The JSON documents of an output: one, one per line of a stream, or none. */
export function documentsOf(stdout: string, { gives }: Call): readonly object[] {
  if (gives === 'nothing') return [];
  const texts = gives === 'stream' ? stdout.split('\n').filter((line) => line !== '') : [stdout];
  return texts.map((text) => JSON.parse(text) as object);
}

/** The records in the documents. */
export function recordsOf(stdout: string, call: Call): readonly object[] {
  return documentsOf(stdout, call).flatMap((document) => document);
}
