import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  errorNameViolations,
  hintViolations,
  ownerViolations,
  readImports,
  violations,
} from './import-rules.ts';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => join('src', name));

describe('the import table', () => {
  it('holds for every source file', () => {
    expect(files.length).toBeGreaterThan(40);
    expect(files.flatMap((file) => violations(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('permits process, clock, random numbers and console only in the files that own them', () => {
    expect(files.flatMap((file) => ownerViolations(file, readFileSync(file, 'utf8')))).toEqual([]);
  });
});

describe('the page in the browser', () => {
  const page = readdirSync('console', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join('console', name));
  const imports = page.flatMap((file) =>
    readImports(file, readFileSync(file, 'utf8')).map((one) => Object.assign(one, { file })),
  );

  const shared = new Set([
    'src/sandbox/console/types.ts',
    'src/features/live/inspect/types.ts',
    'src/commands/console/types.ts',
    'src/platform/local-page/types.ts',
  ]);

  it('imports its two packages, its own files, and of src the types of its requests', () => {
    expect(page.length).toBeGreaterThan(15);
    const foreign = imports.filter(({ file, target, use }) => {
      if (!target.startsWith('.')) return !/^(preact(\/hooks)?|@preact\/signals)$/.test(target);
      const resolved = join(dirname(file), target);
      const isTypes = shared.has(resolved) && use === 'types';
      return !resolved.startsWith('console/') && !isTypes;
    });
    expect(foreign).toEqual([]);
  });

  it('sends requests in one file only, and never inserts markup', () => {
    const using = (pattern: RegExp) => page.filter((file) => pattern.test(readFileSync(file, 'utf8')));
    expect(using(/\bfetch\(/).toSorted()).toEqual(['console/api.ts', 'console/profile/api.ts']);
    expect(using(/\bEventSource\(/)).toEqual(['console/changes.ts']);
    expect(using(/innerHTML|insertAdjacentHTML|document\.write|dangerouslySet/)).toEqual([]);
  });
});

describe('errors', () => {
  it('are distinguished by their class', () => {
    expect(files.flatMap((file) => errorNameViolations(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it.each([
    `if (error.name === 'ApiError') throw error;`,
    `if (error.name !== "DryRunStop") throw error;`,
    `switch (error.name) { case 'ReplyError': break; }`,
    `if (['ConnectionError'].includes(error.name)) throw error;`,
    `if (names.has(cause.name)) throw cause;`,
  ])('are not distinguished as in: %s', (source) => {
    expect(errorNameViolations('src/features/x.ts', source)).toHaveLength(1);
  });

  it.each([`if (error instanceof ApiError) throw error;`, `if (queue.name === name) return;`])(
    'are distinguished as in: %s',
    (source) => {
      expect(errorNameViolations('src/features/x.ts', source)).toEqual([]);
    },
  );
});

describe('hints', () => {
  const nouns = new Set(readdirSync('src/commands').filter((name) => !name.includes('.')));

  it('have their commands as data', () => {
    const inSrc = files.filter((file) => !file.startsWith('src/sandbox/'));
    expect(inSrc.flatMap((file) => hintViolations(file, readFileSync(file, 'utf8'), nouns))).toEqual([]);
  });

  it.each([
    `throw usageError('no', 'list them: ucctl queue list');`,
    'throw notFoundError("no", `ucctl ${word} --help`);',
    `throw new CommandError('x', 1, 'no', { hint: 'ucctl login' });`,
    `return { check, todo: near ? 'ucctl login' : undefined };`,
    'const hint = nextStep`list them: ucctl queue list`;',
  ])('have no command as in: %s', (source) => {
    expect(hintViolations('src/features/x.ts', source, nouns)).toHaveLength(1);
  });

  it.each([
    "throw usageError('no', nextStep`list them: ${ucctl('queue list')}`);",
    `throw new CommandError('x', 1, 'no', { hint: ucctl('login') });`,
    `throw usageError('no', 'install ucctl again');`,
  ])('have commands as in: %s', (source) => {
    expect(hintViolations('src/features/x.ts', source, nouns)).toEqual([]);
  });
});

describe('the test of the import table', () => {
  it.each([
    ['src/sandbox/world/world.ts', `import { buildClient } from '../../client/client.ts';`],
    ['src/sandbox/world/world.ts', `import { ApiError } from '../../errors/service.ts';`],
    ['src/errors/command.ts', `import type { Context } from '../runtime/context.ts';`],
    ['src/client/client.ts', `import { startSandbox } from '../sandbox/index.ts';`],
    ['src/client/client.ts', `import { Message } from '../contract/message.ts';`],
    ['src/client/client.ts', `export { Message } from '../contract/message.ts';`],
    ['src/contract/message.ts', `import { CommandError } from '../errors/command.ts';`],
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
  ])('rejects in %s: %s', (file, source) => {
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
    ['src/features/mirror/x.ts', `import { ApiError } from '../../errors/service.ts';`],
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
  ])('rejects in %s: %s', (file, source) => {
    expect(ownerViolations(file, source)).toHaveLength(1);
    expect(ownerViolations(file, `// ${source}`)).toEqual([]);
  });
});
