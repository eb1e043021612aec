import { fieldsOf } from '../../src/runtime/define.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { postgresMissing } from '../support/postgres.ts';
import type { NounCases, Seen } from './cases.ts';
import { type Desk, openDesk } from './desk.ts';
import { documentsOf, expectFailure, expectSuccess, faultOf, recordsOf } from './outcome.ts';
import { describeSamples, type Form, formOf } from './describe-samples.ts';
import { nouns, sampleOf } from './samples.ts';
import { membersOf, problemsOf, schemaOf, unnamedMembers } from './schemas.ts';
import { optionsOf, shoot, type Shot, shownFormat, wordsOf } from './shoot.ts';
import { faultOfUsageError, faultOfFailure, faultOfSuccess, type Subject } from './subject.ts';

/**
 * Runs every command of a noun: with success, without data, and with an error; and the checks for which it is the
 * sample (samples.ts).
 */
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
      if (!situations) continue;
      const run = (shot: Shot): Promise<Seen> => shoot(desk, spec, shot);
      const subject: Subject = { spec, situations, desk: () => desk, run };
      const missing = situations.needs && postgresMissing();
      describe.skipIf(missing)(`command ${spec.path.join(' ')}`, () => {
        const sample = sampleOf(spec);
        describeSituations(subject);
        describeJson(subject, formOf(sample));
        describeManners(subject);
        describeSamples(subject, sample);
      });
    }
  });
}

function describeSituations(subject: Subject): void {
  const { success, empty } = subject.situations;
  it('succeeds on a terminal', async () => {
    expect(await faultOfSuccess(subject, success, undefined, true)).toBe('');
  });

  it('succeeds in a pipe under --quiet, and writes only warnings to stderr without a confirmation', async () => {
    const seen = await subject.run({ call: success, flags: ['--quiet'] });
    const format = shownFormat(subject.spec, success, undefined, false);
    expect(faultOf(seen, () => expectSuccess(seen, success, { format, terminal: false }))).toBe('');
    const more = seen.exit === 0 ? seen.stderr.replaceAll(/^(?:\d\d:\d\d:\d\d {2})?warning: .*\n/gm, '') : '';
    expect(more).toBe('');
  });

  it.each('none' in empty ? [] : [empty])(
    'has nothing to show, in a pipe and on a terminal',
    async (call) => {
      for (const terminal of [false, true])
        expect(await faultOfSuccess(subject, call, undefined, terminal)).toBe('');
    },
  );

  it('fails on stderr', async () => {
    expect(await faultOfFailure(subject, undefined, false)).toBe('');
  });
}

/** Each command is run with one way to request JSON, in one position; describe-samples.ts tests all combinations. */
function describeJson({ spec, situations, desk, run }: Subject, { flags, place }: Form): void {
  const { success, empty, error } = situations;
  const gives = success.gives ?? 'document';
  const fields = fieldsOf(spec);

  const form = `${flags.join(' ')} as the ${place} of its words`;
  it(`matches its schema, in JSON (${form}) and in its errors; the schema has the listed fields`, async () => {
    const schema = await schemaOf(desk(), spec);
    expect(schema.outputType).toBe({ document: 'document', stream: 'lines', nothing: 'nothing' }[gives]);
    expect(problemsOf(schema.input, {}).filter((problem) => !problem.includes('required'))).toEqual([]);
    expect((membersOf(schema.output) ?? fields).toSorted()).toEqual(fields.toSorted());
    for (const call of 'none' in empty ? [success] : [success, empty]) {
      const seen = await run({ call, flags, place });
      expect(faultOf(seen, () => expectSuccess(seen, call, { format: 'json', terminal: false }))).toBe('');
      for (const document of documentsOf(seen.stdout, call)) {
        expect(problemsOf(schema.output, document)).toEqual([]);
        expect([...new Set(unnamedMembers(schema.output, document))]).toEqual([]);
      }
    }
    const failed = await run({ call: error, format: 'json' });
    const how = { format: 'json', terminal: false } as const;
    expect(faultOf(failed, () => expectFailure(failed, error, how))).toBe('');
    const line = failed.stderr.trimEnd().split('\n').at(-1) ?? '';
    expect(problemsOf(schema.errors, JSON.parse(line))).toEqual([]);
  });

  it.runIf(gives === 'document' && fields.length > 0)('picks fields by --json=A,B', async () => {
    const picked = fields.slice(0, 2);
    const { stdout } = await run({ call: success, flags: [`--json=${picked.join(',')}`], place: 'before' });
    for (const row of recordsOf(stdout, success)) expect(Object.keys(row)).toEqual(picked);
  });

  it('lists its fields without its arguments', async () => {
    const listed = await desk().run([...spec.path, '--json=help']);
    expect(listed).toEqual({ exit: 0, stdout: fields.map((field) => `${field}\n`).join(''), stderr: '' });
  });
}

function describeManners({ spec, situations: { success }, desk }: Subject): void {
  const fields = fieldsOf(spec);

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

  it('does not prompt under --no-input and in a pipe, and then does nothing', async () => {
    for (const terminal of success.how ? [] : [true, false]) {
      const all = await wordsOf(success, desk());
      const words = all.filter((word) => word !== '--yes');
      desk().writes();
      const canType = terminal && success.stdin === undefined;
      const argv = [...spec.path, '--no-input', ...words];
      const { exit, stdout } = await desk().run(argv, optionsOf(success, terminal, canType));
      expect([success.exit ?? 0, 9]).toContain(exit);
      expect(exit === 9 && stdout + desk().writes().join('')).toSatisfy((did) => did === false || did === '');
      // With the same words, the run in a pipe is the one that succeeds.
      if (words.length === all.length) break;
    }
  });

  it.each([['--nonsense'], ...(fields.length > 0 ? [['--json=no-such-field']] : [])])(
    'rejects %s before it does anything',
    async (...flags) => {
      expect(await faultOfUsageError({ spec, desk: desk(), call: success, flags })).toBe('');
    },
  );
}
