import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import type { ReadyFile } from '../../sandbox/index.ts';
import { findSandbox } from './record-file.ts';

/** Options that select the running sandbox for a command. */
export interface WhichSandbox {
  /** Path of the ready file; without it, the sandbox started last is selected. */
  readonly readyFile?: string;
}

const exits: Readonly<Record<number, CommandError['exit']>> = {
  400: Exit.usage,
  404: Exit.notFound,
  409: Exit.conflict,
};

async function readySandbox(ctx: Context, { readyFile }: WhichSandbox): Promise<ReadyFile> {
  return findSandbox(ctx, readyFile === undefined ? undefined : resolve(ctx.cwd, readyFile));
}

/**
 * Sends one request to the control API of a running sandbox.
 * @throws {CommandError} `sandbox_not_running`, or the error that the sandbox reports.
 */
export async function control<T extends object>(
  ctx: Context,
  which: WhichSandbox,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const ready = await readySandbox(ctx, which);
  const { status, text: reply } = await send(ctx, ready, method, `/sandbox/v1${path}`, body).catch(
    (error: unknown) => {
      throw new CommandError(
        'sandbox_not_running',
        Exit.local,
        `the sandbox at ${ready.url} does not respond`,
        {
          hint: nextStep`to start a sandbox in another terminal: ${ucctl('sandbox start')}`,
          cause: error,
        },
      );
    },
  );
  const value = JSON.parse(reply) as T & {
    readonly error?: { readonly code: string; readonly message: string };
  };
  if (status < 300) return value;
  const { code = 'sandbox_error', message = `HTTP ${status}` } = value.error ?? {};
  throw new CommandError(code, exits[status] ?? Exit.failed, message, { hint: nextStepAfter(code, status) });
}

/** Returns the next step after an error of the sandbox; undefined if the message names the accepted values itself. */
function nextStepAfter(code: string, status: number): Hint | undefined {
  if (code === 'phone_not_ready')
    return nextStep`start a call first: ${ucctl('sandbox trigger call to=EXTENSION')}`;
  if (code === 'not_found')
    return nextStep`check the value; to show the sandbox in use: ${ucctl('sandbox status')}`;
  if (status >= 500 || code === 'method_not_allowed' || code === 'json_only')
    return 'use the same version of ucctl for the sandbox and this command';
  return undefined;
}

async function send(ctx: Context, ready: ReadyFile, method: string, path: string, body: object | undefined) {
  const url = new URL(path, ready.url);
  const payload = body === undefined ? '' : JSON.stringify(body);
  const ca = ready.ca === undefined ? undefined : await readFile(ready.ca, 'utf8');
  const incoming = await new Promise<IncomingMessage>((done, failed) => {
    const options = {
      method,
      signal: ctx.signal,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) },
      ...(ca !== undefined && { ca }),
    };
    const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, done);
    outgoing.on('error', failed);
    outgoing.end(payload);
  });
  return { status: incoming.statusCode ?? 0, text: await text(incoming) };
}

/** Reads `name=value` arguments into an object. */
export function pairs(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at < 1) throw usageError(`"${word}" is not a valid argument`, 'use NAME=VALUE');
      return [word.slice(0, at), word.slice(at + 1)] as const;
    }),
  );
}

/** Like `pairs`, but numbers, true and false become values of their type. */
export function typedPairs(words: readonly string[]): Readonly<Record<string, string | number | boolean>> {
  return Object.fromEntries(Object.entries(pairs(words)).map(([name, value]) => [name, typedValue(value)]));
}

function typedValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
