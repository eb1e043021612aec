import { createReadStream } from 'node:fs';
import { createHash } from 'node:crypto';
import type { HttpReply } from '../../client/index.ts';
import type { MediaStore } from '../../store/media-store.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { MediaPlaceError } from './media-place-error.ts';
import { S3Requests, type S3Options, type S3Settings } from './s3-requests.ts';
import { deleteFile } from '../../platform/delete-file.ts';

/**
 * Attachments in an S3-compatible store. An existing object is never overwritten, and content that is read is compared
 * with its hash.
 */
export class S3Media implements MediaStore {
  readonly location: string;
  readonly unfinished: string;
  readonly #requests: S3Requests;
  /** The attachments that were stored before the first successful read; undefined after it. */
  #unread: Set<string> | undefined = new Set();
  /** The error if the key may not read attachments. */
  #unreadable: MediaPlaceError | undefined;

  /** @param options `unfinished` is the local folder for partial downloads. */
  constructor(settings: S3Settings, options: S3Options & { readonly unfinished: string }) {
    this.#requests = new S3Requests(settings, options);
    this.unfinished = options.unfinished;
    this.location = this.#requests.location;
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
    // Status 412 means that another run stored the same content.
    const request = { headers, hash: sha256, stream, expected: [200, 201, 412], done: 'stored' } as const;
    await this.#requests.send('PUT', sha256, request, (reply) => reply.discard().catch(() => undefined));
    this.#unread?.add(sha256);
    await deleteFile(file);
  }

  async read(sha256: string): Promise<Uint8Array> {
    const content = await this.#requests.send(
      'GET',
      sha256,
      { expected: [200], done: 'read' },
      async (reply) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of reply.bytes(false)) pieces.push(piece);
        return Buffer.concat(pieces);
      },
    );
    if (createHash('sha256').update(content).digest('hex') === sha256) return content;
    throw new CommandError('media_store', Exit.local, `attachment ${sha256} in ${this.location} is damaged`, {
      hint: nextStep`to copy damaged attachments again: ${ucctl('sync --full --media')}`,
    });
  }

  async has(sha256: string): Promise<boolean> {
    // Status 403 also means that the object is missing, if the key is not permitted to list objects.
    const request = { expected: [200, 403, 404], done: 'found' } as const;
    const status = await this.#requests.send('HEAD', sha256, request, endOf);
    if (status === 200) this.#unread = undefined;
    // Without this check, each attachment would be stored twice, and the sync would fail without naming the reason.
    if (status === 403 && this.#unread?.has(sha256)) {
      this.#unreadable ??= new MediaPlaceError(
        `${this.location}: the key may store attachments, but not read them (s3:GetObject is missing)`,
        { retryable: false },
      );
      throw this.#unreadable;
    }
    return status === 200;
  }

  async hash(sha256: string): Promise<string | undefined> {
    return this.#requests.send('GET', sha256, { expected: [200, 404], done: 'read' }, async (reply) => {
      if (reply.status === 404) return undefined;
      const hash = createHash('sha256');
      for await (const piece of reply.bytes(false)) hash.update(piece);
      return hash.digest('hex');
    });
  }

  async remove(sha256: string): Promise<boolean> {
    await this.#requests.send('DELETE', sha256, { expected: [200, 204, 404], done: 'deleted' }, endOf);
    return true;
  }
}

/** Ends a reply without its body, and returns its status. */
async function endOf(reply: HttpReply): Promise<number> {
  if (reply.status !== 404) await reply.discard();
  return reply.status;
}
