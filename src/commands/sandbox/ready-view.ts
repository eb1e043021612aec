import type { View } from '../../runtime/output.ts';
import type { ReadyFile } from '../../sandbox/index.ts';

/** The ready record where there is no JSON. */
export const readyView: View<ReadyFile> = {
  columns: [
    { key: 'url', title: 'URL', value: (ready) => ready.url },
    { key: 'pid', title: 'PID', kind: 'number', value: (ready) => ready.pid },
    { key: 'clientId', title: 'CLIENT ID', value: (ready) => ready.clientId },
    { key: 'clientSecret', title: 'CLIENT SECRET', value: (ready) => ready.clientSecret },
    { key: 'accountId', title: 'ACCOUNT', kind: 'id', value: (ready) => ready.accountId },
    { key: 'mainNumber', title: 'MAIN NUMBER', kind: 'phone', value: (ready) => ready.mainNumber },
  ],
};

/** What a person at the terminal needs: the address, who can sign in, what to type. `command`: what runs this program there (own-command.ts). */
export function readyText(ready: ReadyFile, command: string): string {
  const administrator = ready.users.find(({ role }) => role === 'administrator') ?? ready.users[0];
  const rows = ready.users.map(({ name, extension, username, password, role }) => [
    extension,
    name,
    username,
    password,
    role,
  ]);
  const queues = ready.queues.map(({ name, extension }) => `${name} (${extension})`).join(', ');
  return [
    `Sandbox ready at ${ready.url}`,
    '',
    `In another terminal${command.startsWith('npx ') ? ', in this folder' : ''}:`,
    `  eval "$(${command} sandbox env)"`,
    `  # password: ${administrator?.password}`,
    `  ${command} login --flow password --username ${administrator?.username}`,
    `  ${command} queue list`,
    '',
    'Who can sign in:',
    ...table([['EXT', 'NAME', 'USERNAME', 'PASSWORD', 'ROLE'], ...rows]),
    '',
    `Call queues: ${queues}`,
    `Main number: ${ready.mainNumber}`,
    'Ctrl-C ends it.',
  ].join('\n');
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_title, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}
