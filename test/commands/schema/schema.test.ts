import { describe, expect, it } from 'vitest';
import { schemaValidator } from '../../support/json-schema.ts';
import { runUcctl } from '../../support/run-ucctl.ts';

interface Document {
  readonly command: string;
  readonly mutates: boolean;
  readonly outputType: string;
  readonly input: object;
  readonly output: { readonly $schema: string; readonly items?: object };
  readonly dryRun?: object;
}
const read = async (argv: string): Promise<Document> =>
  JSON.parse((await runUcctl(`schema ${argv}`)).stdout) as Document;
const accepts = (schema: object, value: unknown): boolean => schemaValidator().compile(schema)(value);

describe('schema', () => {
  it('describes a command in JSON Schema 2020-12, without a request', async () => {
    const { command, outputType, output, input } = await read('sms send');
    expect([command, outputType]).toEqual(['sms send', 'document']);
    expect(output.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(accepts(input, { to: ['+15550100'], text: 'hello', 'wait-timeout': '5m' })).toBe(true);
    expect(accepts(input, { to: ['+15550100'], text: 'hello', file: 'a.txt' })).toBe(false);
    expect(accepts(input, { 'wait-timeout': 'soon' })).toBe(false);
    expect(accepts(input, { nonsense: 1 })).toBe(false);
  });

  it('describes required options, and the dry run of a command that changes something', async () => {
    const { input, dryRun } = await read('sms thread');
    expect(accepts(input, {})).toBe(false);
    expect(dryRun).toBeUndefined();
    const changing = await read('sms send');
    const request = { method: 'POST', url: 'https://x/' };
    expect(accepts(changing.dryRun ?? {}, request)).toBe(true);
    expect(accepts(changing.dryRun ?? {}, [request])).toBe(true);
  });

  it.each(['queue assign', 'queue apply', 'agent apply', 'hours apply', 'rule apply', 'history undo'])(
    'describes the dry run of %s, which is always an array',
    async (command) => {
      const { dryRun = {} } = await read(command);
      const request = { method: 'POST', url: 'https://x/' };
      expect([accepts(dryRun, [request]), accepts(dryRun, []), accepts(dryRun, request)]).toEqual([
        true,
        true,
        false,
      ]);
    },
  );

  it.each(['sync erase', 'store trim', 'store expire'])(
    'describes the dry run of %s, which prints the output of the command',
    async (command) => {
      const { dryRun, output } = await read(command);
      expect(dryRun).toEqual(output);
    },
  );

  it('lists the statuses of changes, with one spelling of a change that was not sent', async () => {
    const commands = ['sms send', 'queue apply', 'presence set', 'hours apply', 'history show', 'download'];
    for (const command of commands) {
      const text = JSON.stringify((await read(command)).output);
      expect([command, text]).toEqual([command, expect.stringMatching(/"status":\{"enum":\[/)]);
      expect([command, text.includes('"not-sent"')]).toEqual([command, command !== 'download']);
    }
    const changed = JSON.stringify((await read('message delete')).output);
    expect(changed).toContain('"deleted","purged"');
  });

  it('allows new members and values of the service', async () => {
    const { output } = await read('queue list');
    const queue = { uri: 'https://x/1', id: 1, name: 'A', type: 'NewKind', status: 'Enabled', more: true };
    expect(accepts(output, [queue])).toBe(true);
    expect(accepts(output, [{ ...queue, name: 1 }])).toBe(false);
  });

  it('lists every command', async () => {
    const { stdout } = await runUcctl('schema --list');
    const all = JSON.parse(stdout) as readonly Document[];
    expect(all.find(({ command }) => command === 'webhook listen')).toMatchObject({
      outputType: 'lines',
      mutates: false,
    });
    expect(all.find(({ command }) => command === 'sms resolve')).toMatchObject({ outputType: 'document' });
  });

  it.each([
    ['', 2, 'the command is missing'],
    ['queue list --list', 2, 'a command and --list cannot be used together'],
    ['queue', 3, 'command "queue" not found'],
    ['queue nothing', 3, 'command "queue nothing" not found'],
  ])('schema %s ends with %i', async (argv, exit, message) => {
    const { stderr, ...found } = await runUcctl(`schema ${argv}`);
    expect(found).toMatchObject({ exit, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ error: { message } });
  });
});
