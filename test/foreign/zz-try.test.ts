import { it } from 'vitest';
import { runCommandAllowed, runCommandDisallowed } from './command-run.ts';
import { commandCases } from './commands/all-cases.ts';
it('many', async () => {
  const [from = 1, to = 3] = (process.env['SEEDS'] ?? '1,4').split(',').map(Number);
  const only = process.env['ONLY'];
  const seen = new Map<string, number>();
  let replies = 0;
  let runs = 0;
  for (const [name, it] of Object.entries(commandCases)) {
    if (only && !only.split(',').includes(name)) continue;
    for (let seed = from; seed < to; seed += 1)
      for (const run of [runCommandAllowed, runCommandDisallowed]) {
        const v = await run(name, it, seed);
        replies += v.replies;
        runs += 1;
        if (v.fault) {
          const key = `${v.kind}: ${v.fault
            .replace(/seed \d+/, 'seed')
            .replace(/\d{5,}/g, 'N')
            .slice(0, 330)}`;
          seen.set(key, seed);
        }
      }
  }
  console.log(runs, replies, [...seen].map(([k, n]) => `${n} ${k}`).join('\n@@'));
}, 900000);
