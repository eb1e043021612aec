import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pathsIn } from '../support/paths.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryFolder } from '../support/temporary.ts';

const secrets = {
  token: 'SECRET_access-token.0123456789abcdefghijkl',
  refresh: 'SECRET_refresh-token.zyxwvutsrqponmlk',
  app: 'SECRET_app-secret/with+signs',
  password: 'SECRET_pass "word" & 100%/ä',
  assertion: 'eyJSECRET.assertion.signature-of-it',
  verification: 'SECRET_verification-token-1',
  hook: 'SECRET0hook0address0123456789',
} as const;

/** How an echo is written. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  percent: encodeURIComponent,
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(`x${text}`).toString('base64url'),
  json: (text) => JSON.stringify(text),
  'upper case': (text) => text.toUpperCase(),
  'base64 in lower case': (text) => Buffer.from(text).toString('base64').toLowerCase(),
};

/** A text as the name of a header, which has no parentheses. */
const asHeaderName = (echo: string): string =>
  encodeURIComponent(echo).replaceAll(/[()]/g, '').slice(0, 3000);

type Answer = (response: ServerResponse, echo: string, request: IncomingMessage) => void;

const asError =
  (status: number): Answer =>
  (response, echo) => {
    const body = JSON.stringify({
      errorCode: echo,
      message: `rejected: ${echo}`,
      errors: [{ message: echo }],
    });
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };

const answers: Readonly<Record<string, Answer>> = {
  400: asError(400),
  401: asError(401),
  403: asError(403),
  404: asError(404),
  409: asError(409),
  500: asError(500),
  'an OAuth error': (response, echo) => {
    const body = JSON.stringify({ error: 'invalid_grant', error_description: echo });
    response.writeHead(400, { 'content-type': 'application/json' }).end(body);
  },
  'a packed error': (response, echo) => {
    const body = gzipSync(JSON.stringify({ errorCode: 'X', message: echo }));
    response.writeHead(400, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
  },
  'a request id': (response, echo) => {
    response.writeHead(400, { 'x-request-id': encodeURIComponent(echo).slice(0, 3000) }).end('{}');
  },
  'a header name': (response, echo) => {
    response.writeHead(400, { [asHeaderName(echo)]: 'x' }).end('{}');
  },
  'a page': (response, echo) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${echo}`),
  'broken JSON': (response, echo) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify({ echo })}x`);
  },
  'a redirect': (response, echo) => {
    response.writeHead(302, { location: `ftp://${encodeURIComponent(echo).slice(0, 3000)}/x` }).end();
  },
};

/** A server that answers as the test says, with all it was sent in the answer; `first` answers come before. */
async function echoServer(answer: Answer, write: (text: string) => string, first: readonly Answer[] = []) {
  let count = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const form = [...new URLSearchParams(body).values()].join(' ');
      const { authorization = '' } = request.headers;
      const pair = Buffer.from(authorization.slice(6), 'base64').toString();
      const sent = [request.url, authorization, pair, body, form];
      const echo = sent.map((text) => write(text ?? '')).join(' | ');
      (first[count] ?? answer)(response, echo, request);
      count += 1;
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

/** Secrets that show in a text, in any of the writings and in any case. */
function shownIn(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return Object.entries(secrets).flatMap(([name, secret]) => {
    const unpadded = Buffer.from(secret).toString('base64').slice(0, -4);
    const behind = Buffer.from(`xx${secret}`).toString('base64').slice(3, -4);
    const forms = [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ x: secret }).toString().slice(2),
      JSON.stringify(secret).slice(1, -1),
      unpadded,
      unpadded.replaceAll('+', '-').replaceAll('/', '_'),
      behind,
    ];
    return forms.some((form) => lower.includes(form.toLowerCase())) ? [name] : [];
  });
}

/** Everything that runs wrote below a folder, but the token store. */
function written(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('sessions'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

const app = { UCCTL_CLIENT_ID: 'client', UCCTL_CLIENT_SECRET: secrets.app };
const passwordSignIn = 'login --flow password --username +16505550100 --store file';

const commands: readonly (readonly [string, Readonly<Record<string, string>>, string?])[] = [
  ['queue list', { UCCTL_TOKEN: secrets.token }],
  ['sms send --from +16505550111 --to +16505550112 hello --yes', { UCCTL_TOKEN: secrets.token }],
  ['api POST /restapi/v1.0/x -f text=hello --include --yes', { UCCTL_TOKEN: secrets.token }],
  [
    'subscribe create --transport webhook --address https://receiver.example/ --events presence',
    { UCCTL_TOKEN: secrets.token, UCCTL_VERIFICATION_TOKEN: secrets.verification },
  ],
  [passwordSignIn, { ...app, UCCTL_PASSWORD: secrets.password }],
  ['login --flow jwt --assertion-stdin --store file', app, `${secrets.assertion}\n`],
];

// Every writing once; of the other kinds of answers two writings, one of which only a decoder finds.
const kinds = Object.keys(answers).flatMap((kind) =>
  (kind === '400' ? Object.keys(writings) : ['plain', 'base64url']).map((writing) => [kind, writing]),
);
const flagSets = ['-o json --debug', '--debug=http --trace-file trace.har'];

describe('a server that repeats the request shows no secret in output and files', () => {
  it.each(kinds)('%s, %s', async (kind = '', writing = '') => {
    const url = await echoServer(answers[kind] ?? asError(400), writings[writing] ?? String);
    const home = temporaryFolder();
    const paths = pathsIn(home);
    for (const [index, [command, env, stdin]] of commands.entries()) {
      for (const flags of kind === '400' ? flagSets : flagSets.slice(index % 2, (index % 2) + 1)) {
        const { exit, stdout, stderr } = await runUcctl(`${command} --base-url ${url} --retry 0 ${flags}`, {
          env,
          stdin,
          paths,
          cwd: home,
        });
        const isData = command.startsWith('api') && kind.startsWith('a page');
        const isRejected = exit !== 0 && exit !== 2 && exit !== 70;
        expect([command, stderr, isRejected]).toEqual([command, stderr, !(isData && exit === 0)]);
        expect([command, shownIn(stderr), isData ? [] : shownIn(stdout)]).toEqual([command, [], []]);
      }
    }
    expect(shownIn(written(home))).toEqual([]);
  });

  it.each(Object.keys(writings))('the renewal and the end of a session, %s', async (writing) => {
    const tokens: Answer = (response) => {
      const reply = {
        access_token: secrets.token,
        refresh_token: secrets.refresh,
        expires_in: 3600,
        token_type: 'bearer',
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    };
    const url = await echoServer(asError(401), writings[writing] ?? String, [tokens]);
    const home = temporaryFolder();
    const paths = pathsIn(home);
    const env = { ...app, UCCTL_PASSWORD: secrets.password };
    const run = (line: string) => runUcctl(`${line} --base-url ${url} --debug`, { env, paths, cwd: home });
    expect((await run(passwordSignIn)).exit).toBe(0);
    for (const line of ['queue list', 'logout --verify']) {
      const { stdout, stderr } = await run(line);
      expect([line, shownIn(stderr), shownIn(stdout)]).toEqual([line, [], []]);
    }
    expect(shownIn(written(home))).toEqual([]);
  });
});
