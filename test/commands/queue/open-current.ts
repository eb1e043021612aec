import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpSend } from '../../../src/client/index.ts';
import { send } from '../../sandbox/request.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

/** ID of the queue Support. */
export const support = '171857201';

/** Opens the office in dialect current, with one working directory and journal for all commands. */
export async function openCurrent(around?: (send: HttpSend) => HttpSend) {
  const opened = await openOffice('administrator', around, ':memory:', { dialect: 'current' });
  const cwd = temporaryFolder();
  const shared = { cwd, paths: temporaryPaths(), now: () => opened.sandbox.clock.now() };
  const env = { UCCTL_BASE_URL: opened.sandbox.url };
  const run = (
    argv: string | readonly string[],
    dialect = 'current',
    now = shared.now,
    signal?: AbortSignal,
  ) =>
    opened.run(argv, { ...shared, now, env: { ...env, UCCTL_DIALECT: dialect }, ...(signal && { signal }) });
  const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text);
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  const token = await signInAs(opened.sandbox, 'administrator');
  const queue = async (id = support) =>
    (await send(opened.sandbox, 'GET', `/account/~/call-queues/${id}`, { token })).body;
  const change = (json: unknown, id = support) =>
    send(opened.sandbox, 'PUT', `/account/~/call-queues/${id}`, { token, json });
  const idOf = async (number: string): Promise<string | undefined> => {
    const { body } = await send(opened.sandbox, 'GET', '/account/~/call-queues?perPage=1000', { token });
    return body.records.find(({ extensionNumber }) => extensionNumber === number)?.['id'] as
      | string
      | undefined;
  };
  return { ...opened, run, write, read, queue, change, idOf };
}
