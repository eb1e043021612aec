import { expect, it } from 'vitest';
import { openCurrent } from './open-current.ts';

const members = 'queues:\n  - queue: "201"\n    agents: [102, 103, 104, 105]\n';

it.each([
  ['of members', members],
  ['of settings and members', members.replace('    agents', '    settings: { alertTimer: 45 }\n    agents')],
])('a dry run that resumes a complete run %s prints an empty list of requests', async (_, file) => {
  const { run, write } = await openCurrent();
  write('queues.yaml', file);
  const { exit, stderr } = await run('queue apply -f queues.yaml --yes');
  expect([exit, stderr]).toEqual([0, expect.any(String)]);
  const runs = JSON.parse((await run('history list -o json')).stdout) as { id: string }[];
  for (const { id } of runs) {
    const dry = await run(`queue apply --resume ${id} --dry-run -o json`);
    expect([dry.exit, dry.stdout]).toEqual([0, '[]\n']);
  }
});
