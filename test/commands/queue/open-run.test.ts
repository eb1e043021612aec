import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

/** An office whose first write is accompanied by Ctrl-C. */
async function openDesk(files: Readonly<Record<string, string>>) {
  const stop = new AbortController();
  const interrupts =
    (send: HttpSend): HttpSend =>
    (request) => {
      if (request.method !== 'GET') stop.abort(new Error('interrupted'));
      return send(request);
    };
  const office = await openOffice('administrator', interrupts);
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const at = { cwd, paths: temporaryPaths() };
  return {
    run: (line: string) => office.run(line, at),
    broken: (line: string) => office.run(line, { ...at, signal: stop.signal }),
    read: (name: string) => readFileSync(join(cwd, name), 'utf8'),
  };
}

describe.each([
  {
    kind: 'queue apply',
    list: 'queue,extension,action\n201,999,add\n201,105,add\n202,102,add\n203,103,add\n',
    other: 'queue,extension,action\n203,104,add\n',
    options: '--max-items 1',
    made: /171857105/,
    skipped: 'list.csv:2:extension: agent "999" not found',
  },
  {
    kind: 'presence set',
    list: 'extension,message\n999,lost\n102,lunch\n103,lunch\n104,lunch\n',
    other: 'extension,message\n105,lunch\n',
    options: '',
    made: /171857102/,
    skipped: 'list.csv:2:extension: extension "999" not found',
  },
])('an interrupted run of $kind', ({ kind, list, other, options, made, skipped }) => {
  it('can be started again; a note names it', async () => {
    const desk = await openDesk({ 'list.csv': list, 'other.csv': other });
    const broken = await desk.broken(`${kind} -f list.csv --skip-invalid --yes ${options}`);
    expect(broken.exit).toBe(130);
    const [, command = ''] =
      /interrupted: 1 of 3 changes made, 2 left; resume the run: ucctl (.*)\n/.exec(broken.stderr) ?? [];
    expect(command).toMatch(new RegExp(`^${kind} --resume \\d{8}-`));
    const note = `is unfinished (2 changes left); to resume the run: ucctl ${command}\n`;
    const unrelated = await desk.run(`${kind} -f other.csv --yes`);
    expect([unrelated.exit, unrelated.stderr.includes('still open')]).toEqual([0, false]);
    const again = await desk.run(`${kind} -f list.csv --skip-invalid --yes`);
    expect([again.exit, again.stderr]).toEqual([8, expect.stringContaining(note)]);
    const idle = await desk.run(`${kind} -f list.csv --skip-invalid --yes`);
    expect([idle.exit, idle.stderr]).toEqual([8, expect.stringContaining(note)]);
    expect((await desk.run(`${command} --yes`)).exit).toBe(8);
    expect((await desk.run(`${kind} -f list.csv --skip-invalid --yes`)).stderr).not.toContain('still open');
  });

  it('is resumed with the rows that it skipped, and its results file is updated', async () => {
    const desk = await openDesk({ 'list.csv': list });
    const broken = await desk.broken(
      `${kind} -f list.csv --skip-invalid --yes --results done.csv ${options}`,
    );
    expect(broken.exit).toBe(130);
    const statuses = (): readonly string[] =>
      desk
        .read('done.csv')
        .trim()
        .split(/\r?\n/)
        .slice(1)
        .map((line) => /,(skipped|failed|added|changed|not-sent),/.exec(line)?.[1] ?? line);
    const done = kind === 'queue apply' ? 'added' : 'changed';
    expect(statuses()).toEqual(['skipped', done, 'not-sent', 'not-sent']);
    const dry = await desk.run(`${kind} --resume last --dry-run`);
    expect([dry.exit, dry.stderr]).toEqual([
      8,
      expect.stringContaining(
        skipped.replace('list.csv:2:extension:', 'list.csv, line 2, column extension:'),
      ),
    ]);
    expect(dry.stdout).toContain('171857103');
    expect(dry.stdout).not.toMatch(made);
    const resumed = await desk.run(`${kind} --resume last --yes`);
    expect([resumed.exit, resumed.stderr]).toEqual([
      8,
      expect.stringContaining('1 of 4 changes was not made'),
    ]);
    expect(statuses()).toEqual(['skipped', done, done, done]);
    expect(desk.read('done.csv')).toContain(skipped.replaceAll('"', '""'));
  });
});
