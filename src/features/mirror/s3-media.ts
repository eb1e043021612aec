import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { HttpReply, HttpRequest, HttpSend } from '../../client/index.ts';
import type { MediaStore } from '../../store/media-store.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { maskUserInfo } from '../../platform/user-info.ts';

/** Milliseconds without a byte after which a request is aborted. */
const timeoutMilliseconds = 60_000;
/** SHA-256 of an empty body. */
const emptyHash = createHash('sha256').update('').digest('hex');

/** The place of the attachments, and the key that signs requests. */
export interface S3Settings {
  readonly bucket: string;
  /** Beginning of all keys; empty or with a slash at its end. */
  readonly prefix: string;
  /** Address of an S3-compatible service; undefined for Amazon S3. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/**
 * Reads an address such as `s3://bucket/prefix`, with the variables of the AWS tools for keys, region and endpoint.
 * @throws {RangeError} with a message for the user.
 */
export function s3Settings(address: string, env: Readonly<Record<string, string | undefined>>): S3Settings {
  const [, bucket = '', path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === '')
    throw new RangeError(
      `"${maskUserInfo(address)}" is not a valid media store; use s3://BUCKET/PREFIX or the path of a folder`,
    );
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
  if (!accessKeyId || !secretAccessKey)
    throw new RangeError(`${address} needs a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`);
  const prefix = path.replace(/\/+$/, '');
  return {
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint: env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || undefined,
    region: env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1',
    accessKeyId,
    secretAccessKey,
    sessionToken: env['AWS_SESSION_TOKEN'] || undefined,
  };
}

/**
 * Attachments in an S3-compatible store. The key of an object is the hash of its content. An existing object is never
 * overwritten, and content that is read is compared with its hash.
 */
export class S3Media implements MediaStore {
  readonly location: string;
  readonly unfinished: string;
  readonly #settings: S3Settings;
  readonly #send: HttpSend;
  readonly #signal: AbortSignal;
  /** The attachments that were stored before the first successful read; undefined after it. */
  #unread: Set<string> | undefined = new Set();
  /** The error if the key may not read attachments. */
  #unreadable: CommandError | undefined;

  /** @param options `unfinished` is the local folder for partial downloads. */
  constructor(
    settings: S3Settings,
    options: { readonly send: HttpSend; readonly unfinished: string; readonly signal: AbortSignal },
  ) {
    this.#settings = settings;
    this.#send = options.send;
    this.#signal = options.signal;
    this.unfinished = options.unfinished;
    this.location = `s3://${settings.bucket}/${settings.prefix}`;
  }

  async put(
    file: string,
    { sha256, bytes }: { readonly sha256: string; readonly bytes: number },
  ): Promise<void> {
    if (this.#unreadable) throw this.#unreadable;
    const headers = {
      'content-length': String(bytes),
      'if-none-match': '*',
      'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
    };
    const stream = {
      size: bytes,
      open: () => createReadStream(file) as AsyncIterable<Uint8Array>,
      summary: { bytes },
    };
    const reply = await this.#request('PUT', sha256, { headers, hash: sha256, stream });
    // Status 412 means that another run stored the same content.
    if (reply.status !== 412) await this.#require(reply, [200, 201], 'stored');
    await reply.discard().catch(() => undefined);
    this.#unread?.add(sha256);
    await rm(file, { force: true });
  }

  async read(sha256: string): Promise<Uint8Array> {
    const reply = await this.#request('GET', sha256);
    await this.#require(reply, [200], 'read');
    const pieces: Uint8Array[] = [];
    for await (const piece of reply.bytes(false)) pieces.push(piece);
    const content = Buffer.concat(pieces);
    if (createHash('sha256').update(content).digest('hex') === sha256) return content;
    throw failure(`attachment ${sha256} in ${this.location} is damaged`, false);
  }

  async has(sha256: string): Promise<boolean> {
    const reply = await this.#request('HEAD', sha256);
    // Status 403 also means that the object is missing, if the key is not permitted to list objects.
    await this.#require(reply, [200, 403, 404], 'found');
    await reply.discard();
    if (reply.status === 200) this.#unread = undefined;
    // Without this check, each attachment would be stored twice, and the sync would fail without naming the reason.
    if (reply.status === 403 && this.#unread?.has(sha256)) {
      this.#unreadable ??= failure(
        `${this.location}: the key may store attachments, but not read them (s3:GetObject is missing)`,
        false,
      );
      throw this.#unreadable;
    }
    return reply.status === 200;
  }

  async hash(sha256: string): Promise<string | undefined> {
    const reply = await this.#request('GET', sha256);
    if (reply.status === 404) {
      await reply.discard();
      return undefined;
    }
    await this.#require(reply, [200], 'read');
    const hash = createHash('sha256');
    for await (const piece of reply.bytes(false)) hash.update(piece);
    return hash.digest('hex');
  }

  async remove(sha256: string): Promise<boolean> {
    const reply = await this.#request('DELETE', sha256);
    await this.#require(reply, [200, 204, 404], 'deleted');
    await reply.discard();
    return true;
  }

  /** Returns the address of an object. Compatible services expect the bucket in the path. */
  #urlOf(sha256: string): URL {
    const { bucket, prefix, endpoint, region } = this.#settings;
    const key = `${prefix}sha256/${sha256.slice(0, 2)}/${sha256}`
      .split('/')
      .map((part) => encodeURIComponent(part))
      .join('/');
    return endpoint === undefined
      ? new URL(`https://${bucket}.s3.${region}.amazonaws.com/${key}`)
      : new URL(`${endpoint.replace(/\/+$/, '')}/${bucket}/${key}`);
  }

  async #request(
    method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
    sha256: string,
    more: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly hash?: string;
      readonly stream?: HttpRequest['stream'];
    } = {},
  ): Promise<HttpReply> {
    const { accessKeyId, secretAccessKey, sessionToken, region } = this.#settings;
    const url = this.#urlOf(sha256);
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...more.headers, 'x-amz-content-sha256': more.hash ?? emptyHash },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      service: 's3',
      region,
    });
    const { headers } = await signer.sign();
    return this.#send({
      method,
      url,
      headers: { ...Object.fromEntries(headers.entries()), ...more.headers },
      ...(more.stream && { stream: more.stream }),
      signal: this.#signal,
      timeoutMilliseconds,
    });
  }

  /** Checks the status of a reply. @throws {CommandError} `media_store` (exit 12) for another status. */
  async #require(reply: HttpReply, expected: readonly number[], done: string): Promise<void> {
    if (expected.includes(reply.status)) return;
    const text = await reply.text().catch(() => '');
    const [, code = ''] = /<Code>([\w.-]{1,80})<\/Code>/.exec(text) ?? [];
    const reason = `HTTP ${reply.status}${code === '' ? '' : ` ${code}`}`;
    throw failure(`${this.location}: an attachment could not be ${done}: ${reason}`, reply.status >= 500);
  }
}

function failure(message: string, retryable: boolean): CommandError {
  return new CommandError('media_store', Exit.local, message, {
    hint: 'check the bucket, the region, AWS_ENDPOINT_URL_S3 and the permissions of the key, and run the same command again',
    retryable,
  });
}
