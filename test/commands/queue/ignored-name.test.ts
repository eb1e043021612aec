import { expect, it } from 'vitest';
import { openCurrent } from './open-current.ts';

const ignored =
  'q.yaml:3: the name "Help" does not match queue Support (201), and ucctl ignores it; to rename the queue, change "name:" below "settings:" (ucctl queue export --settings)';

it.each(['queue plan -f q.yaml', 'queue diff -f q.yaml', 'queue apply -f q.yaml --yes'])(
  '%s says that the name above the settings renames nothing',
  async (command) => {
    const { run, write } = await openCurrent();
    write('q.yaml', 'queues:\n  - queue: "201"\n    name: Help\n    settings: { alertTimer: 30 }\n');
    const { exit, stderr } = await run(command);
    expect([exit, stderr]).toEqual([0, expect.stringContaining(ignored)]);
  },
);

it.each([
  'queues:\n  - { queue: "201", name: Support, settings: { name: Help } }\n',
  'queues:\n  - { queue: "201", name: Help, settings: { name: Help } }\n',
  'queues:\n  - { queue: "201", name: support, settings: { alertTimer: 60 } }\n',
  'queues:\n  - { queue: "201", name: Support (201), settings: { name: Help } }\n',
  'queues:\n  - { queue: New, name: Any, create: true, settings: { name: New, number: "290" }, agents: [] }\n',
])('is silent for a name that matches the queue or its settings: %j', async (text) => {
  const { run, write } = await openCurrent();
  write('q.yaml', text);
  const { exit, stderr } = await run('queue plan -f q.yaml');
  expect([exit, stderr]).toEqual([0, expect.not.stringContaining('does not match')]);
});

it('says so for a list of members without settings', async () => {
  const { run, write } = await openCurrent();
  const exported = (await run('queue export 201 -o yaml')).stdout;
  expect(exported).toContain('name: Support');
  write('q.yaml', exported.replace('name: Support', 'name: Help'));
  const { exit, stderr } = await run('queue plan -f q.yaml');
  expect([exit, stderr]).toEqual([0, expect.stringContaining('the name "Help" does not match queue')]);
});

it('is silent for the file that account export writes', async () => {
  const { run } = await openCurrent();
  expect((await run('account export folder --only queues')).exit).toBe(0);
  const { exit, stderr } = await run('queue plan -f folder/queues.yaml');
  expect([exit, stderr]).toEqual([0, expect.not.stringContaining('does not match')]);
});
