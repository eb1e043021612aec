import { fieldsOf } from '../../src/runtime/define.ts';
import { expect, it } from 'vitest';
import { outputFormats } from '../../src/cli/global-options.ts';
import type { OutputFormat } from '../../src/runtime/output.ts';
import type { Call } from './cases.ts';
import { faultOfUsageError, faultOfFailure, faultOfSuccess, type Subject } from './subject.ts';
import { escape, faultOf, recordsOf } from './outcome.ts';
import { widthOf } from '../../src/platform/text-width.ts';
import type { Sample } from './samples.ts';
import type { Place } from './shoot.ts';
import { expectValid } from './valid.ts';

/** Undefined: the format without `-o`. */
const formats: readonly (OutputFormat | undefined)[] = [undefined, ...outputFormats];
const places = ['first', 'before', 'last'] as const;
const forms = ['--json', '-o json', '-ojson', '--output=json'].map((form) => form.split(' '));

/** Checks that run once for all commands that are alike in it. */
export function describeSamples(subject: Subject, sample: Sample): void {
  if (sample.isFirstOfKind) describeKind(subject);
  else if (sample.isFirstOfView) describeView(subject);
  if (sample.isFirstOfKind) describeWidths(subject, [40, 80, 120]);
  else if (sample.isFirstOfView) describeWidths(subject, [40, 80]);
  if (sample.isFirstOfForm) describeForm(subject);
}

/** A way to request JSON, and its position on the command line. */
export interface Form {
  readonly flags: readonly string[];
  readonly place: Place;
}

/** The form that each command is run with. */
export function formOf({ index }: Sample): Form {
  return {
    flags: forms[index % forms.length] ?? [],
    place: places[Math.floor(index / forms.length) % places.length] ?? 'last',
  };
}

/** For its kind of output: every format, in a pipe and on a terminal, in every situation; colours; invalid formats. */
function describeKind(subject: Subject): void {
  const { spec, situations, desk, run } = subject;
  const { success, empty } = situations;
  const everyWay = formats.flatMap((format) => [false, true].map((terminal) => ({ format, terminal })));

  it.each(everyWay)('succeeds with a whole document: $format, on a terminal $terminal', async (way) => {
    expect(await faultOfSuccess(subject, success, way.format, way.terminal)).toBe('');
  });

  it.each('none' in empty ? [] : everyWay)(
    'has nothing to show: $format, on a terminal $terminal',
    async (way) => {
      expect(await faultOfSuccess(subject, empty as Call, way.format, way.terminal)).toBe('');
    },
  );

  it.each(everyWay)('fails on stderr: $format, on a terminal $terminal', async (way) => {
    expect(await faultOfFailure(subject, way.format, way.terminal)).toBe('');
  });

  it('has no colour under --color never, NO_COLOR and TERM=dumb, and does not depend on colour', async () => {
    const plain = await run({ call: success, terminal: true, flags: ['--color', 'never'] });
    expect(plain.stdout + plain.stderr).not.toContain(escape);
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      const call = { ...success, env: { ...success.env, ...env } };
      const { stdout, stderr } = await run({ call, terminal: true });
      expect(stdout + stderr).not.toContain(escape);
    }
  });

  it.each([
    ['-o', 'xml'],
    ['--jq', '.['],
    ['--jq', '.', '-o', 'csv'],
  ])('rejects %s %s before it does anything', async (...flags) => {
    expect(await faultOfUsageError({ spec, desk: desk(), call: success, flags })).toBe('');
  });
}

/** For its columns: the formats whose layout differs from that of the default formats and JSON. */
function describeView(subject: Subject): void {
  it('succeeds with a whole document in csv, tsv, ndjson and yaml', async () => {
    // In a pipe, tsv is the default format.
    const others = subject.spec.defaultFormat === undefined ? [] : (['tsv'] as const);
    for (const format of ['csv', 'ndjson', 'yaml', ...others] as const)
      expect(await faultOfSuccess(subject, subject.situations.success, format, false)).toBe('');
  });
}

/** For its columns: a table fits every terminal with complete headings, and a note names the columns that are hidden. */
function describeWidths({ spec, situations: { success }, run }: Subject, widths: readonly number[]): void {
  const isTable = (success.gives ?? 'document') === 'document' && success.table === undefined;
  const isList = spec.output?.schema['type'] === 'array';
  it.runIf(isTable && isList && spec.defaultFormat === undefined)(
    `fits ${widths.join(', ')} columns, and names the hidden columns`,
    async () => {
      const all = headingsOf(
        (await run({ call: success, terminal: 1000, flags: ['--color', 'never'] })).stdout,
      );
      for (const width of widths) {
        const seen = await run({ call: success, terminal: width, flags: ['--color', 'never'] });
        const fault = faultOf(seen, () => {
          const shown = headingsOf(seen.stdout);
          const hidden =
            /columns? hidden: (?<names>.*?); (?:use|next time|show)\s/su.exec(seen.stderr)?.groups?.[
              'names'
            ] ?? '';
          const named =
            hidden === '' ? [] : hidden.replaceAll(/\s+/gu, ' ').replaceAll(' (empty)', '').split(', ');
          expect(Math.max(...seen.stdout.split('\n').map(widthOf))).toBeLessThanOrEqual(width);
          expect(all).toEqual(expect.arrayContaining([...shown, ...named]));
          expect(shown.filter((heading) => named.includes(heading))).toEqual([]);
          // An earlier command may have done all the work that this command lists.
          const widest = Math.max(...seen.stdout.split('\n').map(widthOf));
          // One column alone is right only if its values, such as ids, leave no room for another.
          expect(seen.stdout === '' || shown.length > 1 || widest > width - 8).toBe(true);
        });
        expect(fault).toBe('');
      }
    },
  );
}

/** The headings without the time zone of times. */
function headingsOf(table: string): readonly string[] {
  return (table.split('\n')[0] ?? '').replaceAll(' (UTC)', '').trim().split(/ {2,}/u);
}

/** For its arguments: every way to request JSON, in every position. */
function describeForm(subject: Subject): void {
  it('accepts --json, --json=FIELDS and -o json before and after its arguments', async () => {
    for (const flags of forms)
      for (const place of places) expect(await faultOfJson(subject, flags, place)).toBe('');
  });

  const { situations, run } = subject;
  const fields = fieldsOf(subject.spec);
  it.runIf((situations.success.gives ?? 'document') === 'document' && fields.length > 0)(
    'selects fields, wherever --json=A,B is placed',
    async () => {
      const picked = fields.slice(0, 2);
      for (const place of places) {
        const { stdout } = await run({
          call: situations.success,
          flags: [`--json=${picked.join(',')}`],
          place,
        });
        for (const row of recordsOf(stdout, situations.success)) expect(Object.keys(row)).toEqual(picked);
      }
    },
  );
}

async function faultOfJson(
  { situations: { success }, run }: Subject,
  flags: readonly string[],
  place: (typeof places)[number],
): Promise<string> {
  const seen = await run({ call: success, flags, place });
  return faultOf(seen, () => {
    expect(seen.exit).toBe(success.exit ?? 0);
    if ((success.gives ?? 'document') === 'document') expectValid(seen.stdout, 'json', false, undefined);
  });
}
