import { describe, expect, it } from 'vitest';
import { queueNoun } from '../../../src/commands/queue/noun.command.ts';
import { complete } from '../../../src/completion/complete.ts';
import { completionTable } from '../../../src/completion/table.ts';
import { nounHelp } from '../../../src/cli/help.ts';
import { openOffice } from '../office.ts';

/** A text without the line breaks of its terminal. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('queue create and queue delete, which the service has no request for', () => {
  it('are not listed in help and completion, and help says how queues are created', () => {
    const help = flat(nounHelp(queueNoun, 80));
    expect(help).not.toMatch(/ (create|delete) /);
    expect(help).toContain('In dialect current, queue apply creates queues');
    const live = { valuesOf: () => [], dialectOf: () => 'spec' as const };
    const offered = complete(completionTable([queueNoun]), ['queue'], '', live);
    const verbs = offered.candidates.map(({ value }) => value);
    expect(verbs).toContain('apply');
    expect(verbs).not.toContain('create');
    expect(verbs).not.toContain('delete');
  });

  it('name the portal and the next command in dialect spec', async () => {
    const { run } = await openOffice();
    const created = await run(['queue', 'create', 'Night desk']);
    expect(created.exit).toBe(2);
    expect(flat(created.stderr)).toContain('create Night desk in the account portal, then add its agents');
    expect(flat(created.stderr)).toContain("ucctl queue assign --queue 'Night desk' --add AGENT");
    const deleted = await run('queue delete Support');
    expect(deleted.exit).toBe(2);
    expect(flat(deleted.stderr)).toContain('delete Support in the account portal');
    expect(flat(deleted.stderr)).toContain('ucctl queue unassign Support AGENT');
  });

  it('name the file that creates or disables a queue in dialect current', async () => {
    const { run } = await openOffice();
    const env = { UCCTL_DIALECT: 'current' };
    const created = await run(['queue', 'create', 'Night desk'], { env });
    expect(created.exit).toBe(2);
    expect(flat(created.stderr)).toContain('create: true');
    expect(flat(created.stderr)).toContain('ucctl queue apply --file FILE');
    const deleted = await run('queue delete Support', { env });
    expect(deleted.exit).toBe(2);
    expect(flat(deleted.stderr)).toContain('status: Disabled');
    expect(flat(deleted.stderr)).toContain('ucctl queue apply --file FILE');
  });
});
