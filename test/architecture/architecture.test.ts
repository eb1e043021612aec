import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownerViolations, readImports, violations } from './import-rules.ts';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => join('src', name));

describe('the import table', () => {
  it('holds for every source file', () => {
    expect(files.length).toBeGreaterThan(40);
    expect(files.flatMap((file) => violations(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('leaves process, clock, chance and console to the files that own them', () => {
    expect(files.flatMap((file) => ownerViolations(file, readFileSync(file, 'utf8')))).toEqual([]);
  });
});

describe('the test of the import table', () => {
  it.each([
    ['src/sandbox/world/world.ts', `import { buildClient } from '../../client/client.ts';`],
    ['src/client/client.ts', `import { startSandbox } from '../sandbox/index.ts';`],
    ['src/client/client.ts', `import { Message } from '../contract/message.ts';`],
    ['src/client/client.ts', `export { Message } from '../contract/message.ts';`],
    ['src/contract/message.ts', `import { isE164 } from '../runtime/errors.ts';`],
    ['src/contract/message.ts', `import { Hono } from 'hono';`],
    ['src/contract/limits.ts', `import { z } from 'zod';`],
    ['src/commands/queue/list.command.ts', `import Table from 'cli-table3';`],
    ['src/commands/queue/list.command.ts', `import { listQueues } from './list.ts';`],
    ['src/commands/queue/list.ts', `import { sendSms } from '../sms/send.ts';`],
    ['src/commands/queue/list.ts', `import { startSandbox } from '../../sandbox/index.ts';`],
    ['src/commands/queue/list.ts', `const s = () => import('../../sandbox/index.ts');`],
    ['src/commands/sandbox/start.ts', `import { startSandbox } from '../../sandbox/index.ts';`],
    ['src/features/mirror/x.ts', `import { y } from '../live/y.ts';`],
    ['src/commands/queue/member.rows.ts', `import { listQueues } from './list.ts';`],
    ['src/commands/queue/member.rows.ts', `import { z } from 'zod';`],
    [
      'src/commands/queue/member.rows.ts',
      `import { openDirectory } from '../../features/directory/index.ts';`,
    ],
    ['src/commands/sms/list.command.ts', `import { memberRows } from '../queue/member.rows.ts';`],
    ['src/output/table.ts', `import { memberRows } from '../commands/queue/member.rows.ts';`],
    ['src/features/live/x.ts', `import { messageRows } from '../mailbox/message.rows.ts';`],
    ['src/output/table.ts', `import { queueNoun } from '../commands/queue/noun.command.ts';`],
    ['src/runtime/define.ts', `import chalk from 'chalk';`],
    ['src/app.ts', `import { buildClient } from './client/client.ts';`],
    ['src/newcomer/x.ts', `import { y } from './y.ts';`],
    ['src/client/x.ts', `import { startSandbox } from 'ucctl/sandbox';`],
    ['src/client/x.ts', `import s = require('../sandbox/index.ts');`],
    ['src/client/x.ts', `const s = require('../sandbox/index.ts');`],
    ['src/client/x.ts', `const s = (name: string) => import(name + '/index.ts');`],
  ])('refuses in %s: %s', (file, source) => {
    expect(violations(file, source)).toHaveLength(1);
  });

  it.each([
    ['src/client/client.ts', `import type { Message } from '../contract/message.ts';`],
    ['src/client/client.ts', `import { smsTextUnits } from '../contract/limits.ts';`],
    ['src/commands/queue/list.command.ts', `const load = () => import('./list.ts');`],
    ['src/commands/queue/list.command.ts', `import type { ListOptions } from './list.ts';`],
    ['src/commands/queue/noun.command.ts', `import { queueList } from './list.command.ts';`],
    ['src/commands/sandbox/start.ts', `const s = () => import('../../sandbox/index.ts');`],
    ['src/features/mirror/x.ts', `import { run } from '../bulk/run.ts';`],
    ['src/sandbox/world/world.ts', `import { Message } from '../../contract/message.ts';`],
    ['src/commands/queue/list.command.ts', `import { queueRows } from './queue.rows.ts';`],
    ['src/commands/queue/list.ts', `import { queueRows } from './queue.rows.ts';`],
    [
      'src/commands/sms/list.command.ts',
      `import { messageRows } from '../../features/mailbox/message.rows.ts';`,
    ],
    ['src/commands/queue/queue.rows.ts', `import type { Extension } from '../../contract/extension.ts';`],
    ['src/main.ts', `import { runApp } from './app.ts';`],
  ])('accepts in %s: %s', (file, source) => {
    expect(violations(file, source)).toEqual([]);
  });

  it('sees every form of import', () => {
    const source = `import a from './a.ts'; import type { B } from './b.ts'; import { type C } from './c.ts';
      export * from './d.ts'; export type { E } from './e.ts'; const f = () => import('./f.ts'); type G = import('./g.ts').G; import './h.ts';`;
    expect(
      readImports('x.ts', source)
        .map(({ target, use }) => `${target} ${use}`)
        .toSorted(),
    ).toEqual([
      './a.ts values',
      './b.ts types',
      './c.ts types',
      './d.ts values',
      './e.ts types',
      './f.ts lazy',
      './g.ts types',
      './h.ts values',
    ]);
  });

  it.each([
    ['src/sandbox/world/world.ts', 'const now = Date.now();'],
    ['src/client/client.ts', 'const id = Math.random();'],
    ['src/commands/queue/list.ts', 'process.exit(1);'],
    ['src/output/table.ts', 'console.log(1);'],
    ['src/output/table.ts', 'globalThis.process.exit(1);'],
    ['src/output/table.ts', 'const now = performance.now();'],
    ['src/output/table.ts', 'const id = crypto.randomUUID();'],
  ])('refuses in %s: %s', (file, source) => {
    expect(ownerViolations(file, source)).toHaveLength(1);
    expect(ownerViolations(file, `// ${source}`)).toEqual([]);
  });
});
