import { fieldsOf } from '../../src/runtime/define.ts';
import { expect, it } from 'vitest';
import { outputFormats } from '../../src/cli/global-options.ts';
import type { OutputFormat } from '../../src/runtime/output.ts';
import type { Call } from './cases.ts';
import { faultOfRefusal, faultOfFailure, faultOfSuccess, type Subject } from './subject.ts';
import { escape, faultOf, recordsOf } from './outcome.ts';
import type { Sample } from './samples.ts';
import { expectValid } from './valid.ts';

/** Undefined: what comes without `-o`. */
const formats: readonly (OutputFormat | undefined)[] = [undefined, ...outputFormats];
const places = ['first', 'before', 'last'] as const;
const forms = ['--json', '-o json', '-ojson', '--output=json'].map((form) => form.split(' '));

/** What is tried once for all commands that are alike in it. */
export function describeSamples(subject: Subject, sample: Sample): void {
  if (sample.isFirstOfKind) describeKind(subject);
  else if (sample.isFirstOfView) describeView(subject);
  if (sample.isFirstOfForm) describeForm(subject);
  else describeOneForm(subject, sample.index);
}

/** For its kind of output: every format, in a pipe and on a terminal, in every situation; colours; wrong formats. */
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

  it('has no colour under --color never, NO_COLOR and TERM=dumb, and says nothing by colour alone', async () => {
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
  ])('refuses %s %s before it does anything', async (...flags) => {
    expect(await faultOfRefusal({ spec, desk: desk(), call: success, flags })).toBe('');
  });
}

/** For its columns: the formats that lay them out otherwise than the default ones and JSON. */
function describeView(subject: Subject): void {
  it('succeeds with a whole document in csv, tsv, ndjson and yaml', async () => {
    // In a pipe tsv is what comes without a format.
    const others = subject.spec.defaultFormat === undefined ? [] : (['tsv'] as const);
    for (const format of ['csv', 'ndjson', 'yaml', ...others] as const)
      expect(await faultOfSuccess(subject, subject.situations.success, format, false)).toBe('');
  });
}

/** For its arguments: every way to ask for JSON, in every place. */
function describeForm(subject: Subject): void {
  it('takes --json, --json=FIELDS and -o json before and after its arguments', async () => {
    for (const flags of forms)
      for (const place of places) expect(await faultOfJson(subject, flags, place)).toBe('');
  });

  const { situations, run } = subject;
  const fields = fieldsOf(subject.spec);
  it.runIf((situations.success.gives ?? 'document') === 'document' && fields.length > 0)(
    'picks fields, wherever --json=A,B stands',
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

/** Every other command takes its turn with one way and place. */
function describeOneForm(subject: Subject, index: number): void {
  const flags = forms[index % forms.length] ?? [];
  const place = places[Math.floor(index / forms.length) % places.length] ?? 'last';
  it(`takes ${flags.join(' ')} as the ${place} of its words`, async () => {
    expect(await faultOfJson(subject, flags, place)).toBe('');
  });
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
