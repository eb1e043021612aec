import { beforeAll, describe, expect, it } from 'vitest';
import { outputFormats } from '../../src/cli/global-options.ts';
import { registry } from '../../src/cli/registry.ts';
import type { AnyCommandSpec, NounSpec } from '../../src/runtime/define.ts';
import type { OutputFormat } from '../../src/runtime/output.ts';
import type { RunResult } from '../support/run-ucctl.ts';
import type { Call, NounCases, Situations } from './cases.ts';
import { type Desk, openDesk } from './desk.ts';
import { documentsOf, escape, expectFailure, expectSuccess, recordsOf } from './outcome.ts';
import { membersOf, problemsOf, schemaOf } from './schemas.ts';
import { optionsOf, shoot, type Shot, shownFormat, wordsOf } from './shoot.ts';
import { expectValid } from './valid.ts';

const nouns: ReadonlyMap<string, NounSpec> = new Map(
  await Promise.all(registry.map(async ({ name, load }) => [name, await load()] as const)),
);

/** Undefined: what comes without `-o`. */
const formats: readonly (OutputFormat | undefined)[] = [undefined, ...outputFormats];
const places = ['first', 'before', 'last'] as const;

/** Every command of a noun, in every format, on a terminal and in a pipe, when it succeeds, has nothing to show, and fails. */
export function describeMatrix(name: string, cases: NounCases): void {
  const commands = nouns.get(name)?.commands ?? [];
  describe(`noun ${name}`, () => {
    let desk: Desk;
    beforeAll(async () => {
      desk = await openDesk(cases.desk);
      return () => desk[Symbol.asyncDispose]();
    });
    it('has a case for every command', () => {
      const names = commands.map(({ path }) => path.join(' '));
      expect(Object.keys(cases.commands).toSorted()).toEqual(names.toSorted());
    });
    for (const spec of commands) {
      const situations = cases.commands[spec.path.join(' ')];
      if (situations) describeCommand(spec, situations, () => desk);
    }
  });
}

function describeCommand(spec: AnyCommandSpec, situations: Situations, desk: () => Desk): void {
  const { success, empty, error } = situations;
  const run = (shot: Shot): Promise<RunResult> => shoot(desk(), spec, shot);
  const gives = success.gives ?? 'document';
  const fields = spec.jsonFields ?? [];

  describe(`command ${spec.path.join(' ')}`, () => {
    it.each(formats)('succeeds with a whole document: %s', async (format) => {
      for (const terminal of [false, true]) {
        const result = await run({ call: success, format, terminal });
        const shown = { format: shownFormat(spec, success, format, terminal), terminal };
        expect(() => expectSuccess(result, success, shown)).not.toThrow();
      }
    });

    it.each('none' in empty ? [] : formats)('has nothing to show: %s', async (format) => {
      const call = empty as Call;
      for (const terminal of [false, true]) {
        const result = await run({ call, format, terminal });
        const shown = { format: shownFormat(spec, call, format, terminal), terminal };
        expect(() => expectSuccess(result, call, shown)).not.toThrow();
      }
    });

    it.each(formats)('fails on stderr: %s', async (format) => {
      for (const terminal of [false, true]) {
        const result = await run({ call: error, format, terminal });
        const shown = { format: shownFormat(spec, error, format, terminal), terminal };
        expect(() => expectFailure(result, error, shown)).not.toThrow();
      }
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

    it('takes --json, --json=FIELDS and -o json before and after its arguments', async () => {
      const forms = ['--json', '-o json', '-ojson', '--output=json'].map((form) => form.split(' '));
      for (const flags of forms) {
        for (const place of places) {
          const { exit, stdout } = await run({ call: success, flags, place });
          expect([flags, place, exit]).toEqual([flags, place, success.exit ?? 0]);
          expect(() => gives === 'document' && expectValid(stdout, 'json', false, undefined)).not.toThrow();
        }
      }
    });

    it.runIf(gives === 'document' && fields.length > 0)(
      'picks fields, wherever --json=A,B stands',
      async () => {
        const picked = fields.slice(0, 2);
        for (const place of places) {
          const { stdout } = await run({ call: success, flags: [`--json=${picked.join(',')}`], place });
          for (const row of recordsOf(stdout, success)) expect(Object.keys(row)).toEqual(picked);
        }
      },
    );

    it('lists its fields without being given its arguments', async () => {
      const listed = await desk().run([...spec.path, '--json=help']);
      expect(listed).toEqual({ exit: 0, stdout: fields.map((field) => `${field}\n`).join(''), stderr: '' });
    });

    it('is as its schema says, in JSON and in its errors; the schema has the fields that are listed', async () => {
      const schema = await schemaOf(desk(), spec);
      expect(schema.gives).toBe({ document: 'document', stream: 'lines', nothing: 'nothing' }[gives]);
      expect(problemsOf(schema.input, {}).filter((problem) => !problem.includes('required'))).toEqual([]);
      expect((membersOf(schema.output) ?? fields).toSorted()).toEqual(fields.toSorted());
      for (const call of 'none' in empty ? [success] : [success, empty]) {
        const { stdout } = await run({ call, format: 'json' });
        for (const document of documentsOf(stdout, call))
          expect(problemsOf(schema.output, document)).toEqual([]);
      }
      const failed = await run({ call: error, format: 'json' });
      const line = failed.stderr.trimEnd().split('\n').at(-1) ?? '';
      expect(problemsOf(schema.errors, JSON.parse(line))).toEqual([]);
    });

    it.runIf(spec.watch)('can be watched, until Ctrl-C', async () => {
      for (const terminal of [false, true]) {
        const words = await wordsOf(success, desk());
        const stop = new AbortController();
        let readings = 0;
        const result = await desk().run([...spec.path, ...words, '--watch'], {
          ...optionsOf(success, terminal),
          signal: stop.signal,
          sleep: async (_, signal) => {
            readings += 1;
            if (readings > 1) stop.abort(new Error('enough'));
            signal.throwIfAborted();
          },
        });
        expect([result.exit, readings, result.stderr]).toEqual([0, 2, '']);
      }
    });

    it.runIf((success.exit ?? 0) === 0)(
      'says nothing but warnings on stderr under --quiet where nobody is asked',
      async () => {
        const { stderr } = await run({ call: success, flags: ['--quiet'] });
        expect(stderr.replaceAll(/^warning: .*\n/gm, '')).toBe('');
      },
    );

    it('asks nobody under --no-input and in a pipe, and then does nothing', async () => {
      for (const terminal of success.how ? [] : [false, true]) {
        const words = (await wordsOf(success, desk())).filter((word) => word !== '--yes');
        desk().writes();
        const canType = terminal && success.stdin === undefined;
        const argv = [...spec.path, '--no-input', ...words];
        const { exit, stdout } = await desk().run(argv, optionsOf(success, terminal, canType));
        expect([success.exit ?? 0, 9]).toContain(exit);
        expect(exit === 9 && stdout + desk().writes().join('')).toSatisfy(
          (did) => did === false || did === '',
        );
      }
    });

    it.each([
      ['--nonsense'],
      ['-o', 'xml'],
      ['--jq', '.['],
      ['--jq', '.', '-o', 'csv'],
      ...(fields.length > 0 ? [['--json=no-such-field']] : []),
    ])('refuses %s %s before it does anything', async (...flags) => {
      const words = await wordsOf(success, desk());
      desk().writes();
      const { exit, stdout, stderr } = await desk().run(
        [...spec.path, ...flags, ...words],
        optionsOf(success, false),
      );
      expect([exit, stdout, desk().writes()]).toEqual([2, '', []]);
      expect(stderr).toContain('error');
    });
  });
}
