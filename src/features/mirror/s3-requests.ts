import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { HttpReply, HttpRequest, HttpSend } from '../../client/index.ts';
import { ConnectionError } from '../../errors/service.ts';
import { maskUserInfo } from '../../platform/user-info.ts';
import { MediaPlaceError } from './media-place-error.ts';

/** Milliseconds without a byte after which a request is aborted. */
const timeoutMilliseconds = 60_000;
/** Number of times that a failed request is sent again. Each pause is twice as long as the one before. */
const repeats = 4;
const firstPauseMilliseconds = 500;
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

/** What the requests need. */
export interface S3Options {
  readonly send: HttpSend;
  readonly signal: AbortSignal;
  /** Waits. Rejects when the run is aborted. */
  sleep(milliseconds: number): Promise<void>;
}

/** A request for one attachment. */
interface S3Request {
  readonly headers?: Readonly<Record<string, string>>;
  /** SHA-256 of the body in hexadecimal; absent without a body. */
  readonly hash?: string;
  readonly stream?: HttpRequest['stream'];
}

interface ExpectedRequest extends S3Request {
  readonly expected: readonly number[];
  readonly done: 'read' | 'found' | 'stored' | 'deleted';
}

/** Signed requests for attachments in an S3-compatible store. The key of an object is the hash of its content. */
export class S3Requests {
  readonly location: string;
  readonly #settings: S3Settings;
  readonly #options: S3Options;

  constructor(settings: S3Settings, options: S3Options) {
    this.#settings = settings;
    this.#options = options;
    this.location = `s3://${settings.bucket}/${settings.prefix}`;
  }

  /**
   * Sends a request, and sends it again after a failure of the store, also if the body of the reply ends early. All
   * requests are idempotent: if an attachment was stored, but the reply was lost, the repeated request gets the status 412.
   * @param request `expected`: the statuses of a successful request. `done`: `read`, `found`, `stored` or `deleted`, for the
   * error.
   * @param use reads the reply, which has one of the expected statuses. Status 404 means that the object is missing, and
   * its body has been read.
   * @throws {CommandError} `media_store` (exit 12) for another status, for a missing bucket, and if no reply arrives.
   */
  async send<T>(
    method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
    sha256: string,
    request: ExpectedRequest,
    use: (reply: HttpReply) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt === repeats;
      try {
        const reply = await this.#sendOnce(method, sha256, request);
        if (isLast || !isTransient(reply.status))
          return await use(await this.#require(reply, sha256, request));
        await reply.discard();
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        if (isLast || error.isCertificateFault)
          throw this.#failure(`an attachment could not be ${request.done}: ${error.message}`, {
            retryable: !error.isCertificateFault,
          });
      }
      await this.#options.sleep(firstPauseMilliseconds * 2 ** attempt);
    }
  }

  async #sendOnce(method: string, sha256: string, request: S3Request): Promise<HttpReply> {
    const { accessKeyId, secretAccessKey, sessionToken, region } = this.#settings;
    const url = this.#urlOf(sha256);
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...request.headers, 'x-amz-content-sha256': request.hash ?? emptyHash },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      service: 's3',
      region,
    });
    const { headers } = await signer.sign();
    return this.#options.send({
      method,
      url,
      headers: { ...Object.fromEntries(headers.entries()), ...request.headers },
      ...(request.stream && { stream: request.stream }),
      signal: this.#options.signal,
      timeoutMilliseconds,
    });
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

  async #require(reply: HttpReply, sha256: string, { expected, done }: ExpectedRequest): Promise<HttpReply> {
    const { status } = reply;
    if (expected.includes(status) && status !== 404) return reply;
    const text = await reply.text().catch(() => '');
    const [, code = ''] = /<Code>([\w.-]{1,80})<\/Code>/.exec(text) ?? [];
    // A reply to HEAD has no body, so it cannot name a missing bucket.
    if (expected.includes(status) && code !== 'NoSuchBucket') return reply;
    const mayBeMissing = done === 'read' && code === 'AccessDenied';
    const attachment = mayBeMissing ? `attachment ${sha256}` : 'an attachment';
    throw this.#failure(
      `${attachment} could not be ${done}: HTTP ${status}${code === '' ? '' : ` ${code}`}`,
      {
        retryable: isTransient(status),
        mayBeMissing,
      },
    );
  }

  #failure(text: string, more: ConstructorParameters<typeof MediaPlaceError>[1]): MediaPlaceError {
    return new MediaPlaceError(`${this.location}: ${text}`, more);
  }
}

/** Whether the same request may succeed later. Status 409 is the reply to simultaneous uploads of the same object. */
function isTransient(status: number): boolean {
  return status === 409 || status === 429 || (status >= 500 && status !== 501);
}
