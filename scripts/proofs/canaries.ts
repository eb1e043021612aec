import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../src/sandbox/index.ts';
import { debugLines, tracedHttp } from '../../src/client/trace/index.ts';
import type { HttpReply } from '../../src/client/index.ts';
import type { Result } from './result.ts';

const number = '+16505550112';

/** Every kind of secret in every place of a request and its reply, through the one place that masks; then commands as processes with both flags on. */
export async function run(): Promise<readonly Result[]> {
  const masked = await maskedHits();
  const spawned = await spawnedHits();
  return [
    {
      promise: 'no secret passes the mask',
      figure: `${masked.length} of ${canaries.length} seen ${masked.join(', ')}`,
      holds: masked.length === 0,
    },
    {
      promise: 'no secret in stdout, stderr, trace or argv',
      figure: `${spawned.hits.length} hits in ${spawned.commands} commands ${spawned.hits.join(', ')}`,
      holds: spawned.hits.length === 0,
    },
  ];
}

const canaries = [
  'canaryAccessToken1',
  'canaryRefreshToken2',
  'canaryPassword3',
  'canaryClientSecret4',
  'canaryCode5',
  'canaryCookie6',
  'canaryEncryptionKey7',
  'canarySubscriberKey8',
  'canarySecretKey9',
  'canarySyncToken10',
  'canaryText11',
  '+15550001212',
] as const;

async function maskedHits(): Promise<readonly string[]> {
  const [
    access,
    refresh,
    password,
    secret,
    code,
    cookie,
    encryption,
    subscriber,
    secretKey,
    sync,
    text,
    phone,
  ] = canaries;
  const lines: string[] = [];
  const reply: HttpReply = {
    status: 200,
    header: (name) => (name === 'content-type' ? 'application/json' : undefined),
    headers: { 'set-cookie': cookie, 'x-other': secret, location: `https://x.example/cb?code=${code}` },
    text: () =>
      Promise.resolve(
        JSON.stringify({
          access_token: access,
          refresh_token: refresh,
          subject: text,
          message: `echo ${password}`,
          syncInfo: { syncToken: sync },
          deliveryMode: {
            encryptionKey: encryption,
            subscriberKey: subscriber,
            secretKey,
            address: `https://x/${secret}`,
          },
          from: { phoneNumber: phone },
          uri: `https://x.example/restapi/v1.0/y?access_token=${access}`,
        }),
      ),
    async *bytes() {
      yield new Uint8Array();
    },
    discard: () => Promise.resolve(),
  };
  const http = tracedHttp(
    () => Promise.resolve(reply),
    () => 0,
    [(exchange) => lines.push(debugLines(exchange), JSON.stringify(exchange))],
  );
  const bodies = [
    [
      new URLSearchParams({
        password,
        code,
        refresh_token: refresh,
        client_secret: secret,
        username: phone,
      }).toString(),
      'application/x-www-form-urlencoded',
    ],
    [JSON.stringify({ text, to: [{ phoneNumber: phone }], password }), 'application/json'],
    [`--x\r\n${text} ${phone}`, 'multipart/form-data'],
  ] as const;
  for (const [body, type] of bodies) {
    const url = new URL(
      `https://service.example/restapi/v1.0/account/${phone}/x?syncToken=${sync}&code=${code}&access_token=${access}&phoneNumber=${encodeURIComponent(phone)}`,
    );
    const headers = { authorization: `Bearer ${access}`, cookie, 'content-type': type, 'x-api-key': secret };
    await (await http({ method: 'POST', url, headers, body, timeoutMilliseconds: 1 })).text();
  }
  const hook = new URL(`https://hooks.example/webhook/${secret}`);
  await (await http({ method: 'POST', url: hook, headers: {}, body: text, timeoutMilliseconds: 1 })).text();
  const seen = lines.join('\n');
  return canaries.filter((canary) => seen.includes(canary) || seen.includes(encodeURIComponent(canary)));
}

async function spawnedHits(): Promise<{ readonly commands: number; readonly hits: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-proof-'));
  const sandbox = await startSandbox({ clock: 'real' });
  try {
    const { clientId, clientSecret, users } = sandbox.ready;
    const user = users.find(({ role }) => role === 'administrator');
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      UCCTL_CONFIG_DIR: join(folder, 'config'),
      UCCTL_STATE_DIR: join(folder, 'state'),
      UCCTL_CACHE_DIR: join(folder, 'cache'),
      UCCTL_DATA_DIR: join(folder, 'data'),
      UCCTL_STORE: 'file',
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_CLIENT_ID: clientId,
      UCCTL_CLIENT_SECRET: clientSecret,
    };
    const commands: readonly (readonly [readonly string[], string?])[] = [
      [
        ['login', '--flow', 'password', '--username', user?.username ?? '', '--password-stdin'],
        `${user?.password}\n`,
      ],
      [['status']],
      [['queue', 'list']],
      [['presence', 'get']],
      [['sms', 'send', '--to', number, '-f', '-', '--yes'], 'canaryText11'],
      [['api', 'account/~/extension/~/message-store', '--paginate', '-o', 'json', '--fields', 'id']],
      [['outcome', 'list']],
      [['subscribe', 'list']],
      [['api', 'account/~/extension/1']],
      [['logout']],
    ];
    const seen: string[] = [];
    const secrets = new Set([user?.password ?? '', clientSecret, 'canaryText11']);
    for (const [index, [argv, stdin]] of commands.entries()) {
      const trace = join(folder, `${index}.har`);
      const args = ['bin/ucctl.cjs', ...argv, '--debug=http', '--trace-file', trace];
      // The sandbox lives in this process: it must go on answering while the command runs.
      const result = await spawned(args, env, stdin ?? '');
      // The text is what `sms send` shows before it asks; everything else of it stays masked.
      const shown = argv[0] === 'sms' ? [] : [result];
      seen.push(...shown, readIfThere(trace), args.join(' '));
      for (const token of storedTokens(join(folder, 'state'), join(folder, 'config'), join(folder, 'data')))
        secrets.add(token);
    }
    const all = seen.join('\n');
    return {
      commands: commands.length,
      hits: [...secrets]
        .filter((secret) => secret !== '' && all.includes(secret))
        .map((_, index) => `secret ${index + 1}`),
    };
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function spawned(args: readonly string[], env: NodeJS.ProcessEnv, stdin: string): Promise<string> {
  const child = spawn(process.execPath, args, { env, stdio: 'pipe' });
  let text = '';
  child.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (text += piece.toString()));
  child.stdin.end(stdin);
  await new Promise((resolve) => {
    child.on('close', resolve);
  });
  return text;
}

function readIfThere(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    JSON.parse(text);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** The tokens that the session file holds now. */
function storedTokens(...folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) => {
    try {
      return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
    } catch {
      return [];
    }
  });
  return files
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return [
        ...text.matchAll(/"(?:accessToken|refreshToken|access_token|refresh_token)":\s*"([^"]{12,})"/g),
      ].map(([, token]) => token ?? '');
    });
}
