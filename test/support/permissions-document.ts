import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { send, userClient } from '../sandbox/request.ts';

interface Probe {
  readonly what: string;
  readonly method: 'GET' | 'PUT' | 'POST';
  /** Path below that of the extension. */
  readonly path: string;
  readonly json?: unknown;
}

const mobile = { phoneNumber: '+16505550143' };
const probes: readonly Probe[] = [
  { what: 'Mailbox: list', method: 'GET', path: 'message-store' },
  { what: 'Mailbox: synchronize', method: 'GET', path: 'message-sync?syncType=FSync' },
  { what: 'Call log', method: 'GET', path: 'call-log' },
  { what: 'Active calls', method: 'GET', path: 'active-calls' },
  { what: 'Presence: read, shown to others', method: 'GET', path: 'presence' },
  { what: 'Presence: change', method: 'PUT', path: 'presence', json: { message: 'here' } },
  { what: 'Phone numbers', method: 'GET', path: 'phone-number' },
  { what: 'Forwarding numbers', method: 'GET', path: 'forwarding-number' },
  {
    what: 'Send an SMS',
    method: 'POST',
    path: 'sms',
    json: { from: { phoneNumber: '+16505550113' }, to: [{ phoneNumber: '+16505550199' }], text: 'x' },
  },
  {
    what: 'Send a page',
    method: 'POST',
    path: 'company-pager',
    json: { from: { extensionNumber: '103' }, to: [{ extensionNumber: '104' }], text: 'x' },
  },
  {
    what: 'Start a two-legged call',
    method: 'POST',
    path: 'ringout',
    json: { from: mobile, to: { phoneNumber: '+16505550199' } },
  },
];
const filters = [
  ['Watch messages', 'message-store'],
  ['Watch presence, shown to others', 'presence'],
] as const;
/** Adding an agent who is already a member changes nothing. */
const assignment = { items: [{ departmentId: '171857201', addedExtensionIds: ['171857103'] }] };
const company: readonly (Omit<Probe, 'path'> & { readonly path: string })[] = [
  { what: 'Extension list', method: 'GET', path: 'extension' },
  { what: 'Members of a queue', method: 'GET', path: 'department/171857201/members' },
  { what: 'Assign agents', method: 'POST', path: 'department/bulk-assign', json: assignment },
  { what: 'Call log of the account', method: 'GET', path: 'call-log' },
  { what: 'Active calls of the account', method: 'GET', path: 'active-calls' },
];

const target = '171857103';
type Client = Awaited<ReturnType<typeof userClient>>;

/** The content of docs/internals/sandbox-permissions.md, from the answers of a running sandbox. */
export async function permissionsDocument(): Promise<string> {
  // Not `await using`: to transform it for Node 20, the script's bundler would need another package.
  const sandbox = await startSandbox({ listen: false });
  try {
    return await askSandbox(sandbox);
  } finally {
    await sandbox.close();
  }
}

async function askSandbox(sandbox: Sandbox): Promise<string> {
  const people = [
    await userClient(sandbox, '103'),
    await userClient(sandbox, '102'),
    await userClient(sandbox, 'administrator'),
  ];
  const rows: string[] = [];
  const ask = async (what: string, request: (client: Client) => Promise<string>) => {
    const answers: string[] = [];
    for (const client of people) answers.push(await request(client));
    rows.push(`| ${what} | ${answers.join(' | ')} |`);
  };
  for (const { what, ...probe } of probes) {
    const path = `/account/~/extension/${target}/${probe.path}`;
    await ask(what, (client) => outcome(sandbox, client, { ...probe, path }));
  }
  for (const [what, resource] of filters) await ask(what, (client) => watch(sandbox, client, resource));
  await people[0]?.put('/account/~/extension/~/presence', { allowSeeMyPresence: false });
  const hidden = `/account/~/extension/${target}/presence`;
  await ask('Presence: read, hidden (`allowSeeMyPresence` false)', (client) =>
    outcome(sandbox, client, { method: 'GET', path: hidden }),
  );
  await ask('Watch presence, hidden', (client) => watch(sandbox, client, 'presence'));
  for (const { what, ...probe } of company) {
    const path = `/account/~/${probe.path}`;
    await ask(what, (client) => outcome(sandbox, client, { ...probe, path }));
  }
  return [
    '# Who may do what in the sandbox',
    '',
    'Made by `node scripts/run.mjs spec-coverage` from the answers of a running sandbox; a test compares. The app has every permission',
    '(without one it is 403 CMN-401, see operations.md), the data is that of one user of `small-office`. "yes" is any success.',
    '',
    '| Data of a user | The user | Another user | An administrator |',
    '|---|---|---|---|',
    ...rows,
    '',
    "Codes: CMN-402 needs an administrator; CMN-404 only the user's own extension; CMN-408 the permission of the user is missing; CMN-419 another",
    "extension without extended scope, which administrators hold; SUB-402 to 408 someone else's events.",
    '',
  ].join('\n');
}

async function outcome(
  sandbox: Sandbox,
  { token }: Client,
  { method, path, json }: Omit<Probe, 'what'>,
): Promise<string> {
  const { status, body } = await send(sandbox, method, path, { token, json });
  if (status < 400) return 'yes';
  const code = body.errors[0]?.errorCode ?? body.errorCode;
  return status === 501 ? 'not yet' : `${status} ${code}`;
}

async function watch(sandbox: Sandbox, client: Client, resource: string): Promise<string> {
  return outcome(sandbox, client, {
    method: 'POST',
    path: '/subscription',
    json: {
      eventFilters: [`/restapi/v1.0/account/~/extension/${target}/${resource}`],
      deliveryMode: { transportType: 'ChannelService' },
    },
  });
}
