import { guessFormat, type Program } from '../cli/program.ts';
import { Exit } from '../errors/command.ts';
import { createOutput, needsPager, type ProgramOutput } from '../output/index.ts';
import type { OutputFormat } from '../runtime/output.ts';
import type { System } from '../runtime/system.ts';
import { report } from './report.ts';

/** Prints a text that needs no command, in a pager if it does not fit the terminal. @returns the exit code. */
export async function printText(
  { text, pages }: Extract<Program, { kind: 'print' }>,
  argv: readonly string[],
  system: System,
): Promise<number> {
  if (pages && needsPager(text, system) && (await system.page?.(text))) return Exit.ok;
  try {
    await outputOf(system).text(text);
  } catch (error) {
    return reportAlone(error, argv, system);
  }
  return Exit.ok;
}

/** Reports an error outside of a command. @returns the exit code. */
export function reportAlone(error: unknown, argv: readonly string[], system: System): Promise<number> {
  const format = guessFormat(argv, system.env);
  const out = outputOf(system, format);
  return report({ error, system, out, format, debug: argv.some((word) => /^--debug(=|$)/.test(word)) });
}

function outputOf(system: System, format?: OutputFormat): ProgramOutput {
  const { stdout, stderr, env } = system;
  return createOutput({ stdout, stderr, env, format, now: () => system.now() });
}
