import { subscribe } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { debugLines, tracedHttp } from '../../src/client/trace/index.ts';
import { maskBody } from '../../src/client/trace/mask.ts';
import type { HttpReply, HttpRequest, HttpSend } from '../../src/client/index.ts';
import { SentSecrets } from '../../src/platform/sent-secrets.ts';
import type { Paths } from '../../src/runtime/context.ts';
import { secretsOf, secretsOfEnvironment, shownSecrets } from './secrets.ts';

/** Larger files are mailbox copies, which the proof `canaries` searches. */
const largestFile = 256 * 1024;
/**
 * Longer bodies of replies, in characters, are traced only if their trace could contain a secret, because masking one
 * takes milliseconds.
 */
const longestTraced = 16 * 1024;
/** Coarseness of the clock that file times use, in milliseconds. */
const clockGrain = 50;
const secretField = /^(password|code|refresh_token|client_secret|assertion|token|code_verifier)$/;
const secretMember = /"(access_token|refresh_token|encryptionKey|subscriberKey|secretKey)"\s*:\s*"([^"]+)"/g;

/** Every process that a test of this worker started. */
const children: ChildProcess[] = [];
subscribe('child_process', (message) => {
  children.push((message as { readonly process: ChildProcess }).process);
});

/** Runs of the program in this process that have not ended. */
let running = 0;
/**
 * Files that were read while a run was active. Closing a file releases all locks of this process on it (POSIX record locks), so that
 * another process could remove the write-ahead log of a database that a run in the background uses.
 */
const descriptors: number[] = [];

interface Shown {
  readonly argv: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  readonly paths: Paths;
}

/**
 * Watches one run of the program: collects its secrets from its environment and its requests, and finds where they
 * appear. Every request is traced as with `--debug=http` and `--trace-file`.
 */
export class Canaries {
  readonly #secrets: Map<string, string>;
  readonly #sent = new SentSecrets();
  readonly #traces: string[] = [];
  /** Bodies that are not in the traces. */
  readonly #long: { readonly text: string; readonly contentType: string | undefined }[] = [];
  readonly #childrenBefore = children.length;
  readonly #started = Date.now();

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#secrets = new Map(secretsOfEnvironment(env));
    running += 1;
  }

  /** Call it once after the run, whether it was checked or not. */
  end(): void {
    running -= 1;
    if (running > 0) return;
    for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
  }

  /** The same network, watched and traced. */
  watched(http: HttpSend): HttpSend {
    const noting: HttpSend = async (request) => {
      this.#noteRequest(request);
      const reply = await http(request);
      return /\/(oauth|subscription)/.test(request.url.pathname) ? this.#noted(reply) : reply;
    };
    return async (request) => {
      let whole: string | undefined;
      const shortened: HttpSend = async (sent) => {
        const reply = await noting(sent);
        return withText(reply, async () => {
          const text = await reply.text();
          if (text.length <= longestTraced) return text;
          whole = text;
          this.#long.push({ text, contentType: reply.header('content-type') });
          return '';
        });
      };
      const reply = await tracedHttp(shortened, {
        now: () => 0,
        elapsed: () => 0,
        sent: this.#sent,
        sinks: [(exchange) => this.#traces.push(debugLines(exchange), JSON.stringify(exchange))],
      })(request);
      return withText(reply, async () => {
        const text = await reply.text();
        return whole ?? text;
      });
    };
  }

  /** @throws when a secret of the run appears anywhere except in the token store. */
  check({ argv, stdout, stderr, paths }: Shown): void {
    // Commands that show secrets by design: users and applications of a sandbox, a subscription as stored.
    const isAsked = ['sandbox', 'api', '--show-secrets'].some((word) => argv.includes(word));
    const places: (readonly [string, string])[] = [
      ...(isAsked ? [] : [['stdout', stdout] as const, ['stderr', stderr] as const]),
      ['a trace', [...this.#traces, ...this.#masked()].join('\n')],
      ['argv', argv.join(' ')],
      ...children
        .slice(this.#childrenBefore)
        .map(({ spawnargs }) => ['argv of a child', spawnargs.join(' ')] as const),
      ...this.#files(paths),
    ];
    const hits = shownSecrets(this.#secrets, places);
    if (hits.length > 0) throw new Error(`a secret shows in \`ucctl ${argv.join(' ')}\`: ${hits.join(', ')}`);
  }

  /**
   * The long bodies whose trace could show a secret, as a trace shows them. A trace shows texts of the body, so a
   * secret can appear only if the body contains it unchanged, percent-encoded in an address, or with a backslash.
   */
  #masked(): readonly string[] {
    const secrets = [...this.#secrets.keys()];
    return this.#long
      .filter(({ text }) => {
        const decoded = text.includes('%') ? percentDecoded(text) : text;
        return text.includes('\\') || secrets.some((one) => text.includes(one) || decoded.includes(one));
      })
      .map(({ text, contentType }) => maskBody(text, contentType) ?? '');
  }

  #note(name: string, value: string | undefined): void {
    for (const [secret] of secretsOf([[name, value]])) this.#secrets.set(secret, name);
  }

  #noteRequest({ headers, body, url }: HttpRequest): void {
    const [, basic] = /^Basic (.+)$/.exec(headers['authorization'] ?? '') ?? [];
    const [, bearer] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
    this.#note('an access token', bearer);
    this.#note('the application, encoded', basic);
    // Targets of events can have a password, too, which the user writes into their address.
    if (basic && url.pathname.includes('/oauth/'))
      this.#note('the client secret', Buffer.from(basic, 'base64').toString().split(':')[1]);
    if (!url.pathname.includes('/oauth/') || typeof body !== 'string') return;
    for (const [name, value] of new URLSearchParams(body))
      if (secretField.test(name)) this.#note(name, value);
  }

  #noted(reply: HttpReply): HttpReply {
    return withText(reply, async () => {
      const text = await reply.text();
      for (const [, name = '', value] of text.matchAll(secretMember)) this.#note(name, value);
      return text;
    });
  }

  /** Output of the run and its files, without the token store. */
  #files(paths: Paths): readonly (readonly [string, string])[] {
    return Object.values(paths).flatMap((folder: string) =>
      filesBelow(folder)
        // Token stores; and the records of sandboxes, which contain the secrets of their own fixtures.
        .filter((file) => !/\/(sessions|sandboxes)\//.test(file))
        .filter((file) => {
          const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
          return size > 0 && size <= largestFile && mtimeMs >= this.#started - clockGrain;
        })
        .map((file) => [file, readOpen(file)] as const),
    );
  }
}

function readOpen(file: string): string {
  const descriptor = openSync(file, 'r');
  descriptors.push(descriptor);
  return readFileSync(descriptor, 'latin1');
}

/** The same reply with another text. */
function withText(reply: HttpReply, text: () => Promise<string>): HttpReply {
  return {
    status: reply.status,
    header: (name) => reply.header(name),
    ...(reply.headers && { headers: reply.headers }),
    text,
    bytes: () => reply.bytes(),
    discard: () => reply.discard(),
  };
}

function percentDecoded(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
  );
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
