import type { AnyCommandSpec } from '../../src/runtime/define.ts';
import type { OutputFormat } from '../../src/runtime/output.ts';
import { type RunOptions, splitWords } from '../support/run-ucctl.ts';
import type { Call, Seen } from './cases.ts';
import type { Desk } from './desk.ts';
import { columns } from './outcome.ts';

/** Where flags may stand on a command line. */
export type Place = 'first' | 'before' | 'last';

/** One run of a call, in one format, on a terminal or in a pipe. */
export interface Shot {
  readonly call: Call;
  /** Undefined: the format without `-o`. */
  readonly format?: OutputFormat | undefined;
  /** A number is the width of the terminal in columns. */
  readonly terminal?: boolean | number;
  /** Flags and their position; by default after all other arguments. */
  readonly flags?: readonly string[];
  readonly place?: Place;
}

/** Runs a call as specified. */
export async function shoot(desk: Desk, spec: AnyCommandSpec, shot: Shot): Promise<Seen> {
  const { call, format, terminal = false, place = 'last' } = shot;
  const flags = [...(shot.flags ?? []), ...(format ? ['-o', format] : [])];
  const words = await wordsOf(call, desk);
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const argv = {
    first: [...flags, ...spec.path, ...words],
    before: [...spec.path, ...flags, ...words],
    last: [...spec.path, ...words.slice(0, end), ...flags, ...words.slice(end)],
  }[place];
  desk.blank(call.blank);
  try {
    const options = optionsOf(call, terminal);
    const result = await (call.how ? call.how(desk, argv, options) : desk.run(argv, options));
    return { ...result, argv };
  } finally {
    desk.blank(undefined);
  }
}

/** The arguments of a call; a function creates what it needs. */
export async function wordsOf(call: Call, desk: Desk): Promise<readonly string[]> {
  const words = typeof call.words === 'function' ? await call.words(desk) : call.words;
  return typeof words === 'string' ? splitWords(words) : words;
}

/** Only a run that must not prompt gets a terminal on stdin. */
export function optionsOf(call: Call, terminal: boolean | number, canType = false): RunOptions {
  return {
    ...(terminal !== false && { terminal: terminal === true ? columns : terminal }),
    ...(!canType && { stdin: call.stdin ?? '' }),
    ...(call.env && { env: call.env }),
  };
}

/** The format of the output. */
export function shownFormat(
  spec: AnyCommandSpec,
  call: Call,
  asked: OutputFormat | undefined,
  terminal: boolean,
): OutputFormat {
  const piped = call.gives === 'stream' ? 'ndjson' : 'tsv';
  return asked ?? spec.defaultFormat ?? (terminal ? 'table' : piped);
}
