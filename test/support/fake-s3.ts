import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** The key of the fake. */
export const s3Key = { accessKeyId: 'AKIDTEST', secretAccessKey: 'not-a-secret-of-anybody' };

/** What a fake does differently from a service that works and permits everything. */
export interface S3Behavior {
  readonly mayList?: boolean;
  readonly mayRead?: boolean;
  /** The statuses of the first replies. */
  readonly failures?: readonly number[];
  /** The number of replies with content that end before their last byte. */
  readonly cuts?: number;
}

/**
 * An S3 service that is strict: it computes the signature (AWS Signature Version 4), the digest and the checksum of
 * each request itself, and never overwrites under If-None-Match. It was written from the published rules of the
 * protocol, and `npm run proof -- s3` compares ucctl with an S3 product.
 * Without the permission to list objects, the status for a missing object is 403.
 */
export async function startFakeS3(
  bucket: string,
  { mayList = true, mayRead = true, failures = [], cuts = 0 }: S3Behavior = {},
) {
  const objects = new Map<string, Buffer>();
  const log: string[] = [];
  const statuses = [...failures];
  let cutsLeft = cuts;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const fail = (status: number, code: string): void => {
      log.push(code);
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<Error><Code>${code}</Code></Error>`);
    };
    const failure = statuses.shift();
    if (failure !== undefined) return fail(failure, 'SlowDown');
    const digest = createHash('sha256').update(body).digest('hex');
    if (request.headers['x-amz-content-sha256'] !== digest) return fail(400, 'XAmzContentSHA256Mismatch');
    if (!isSigned(request, digest)) return fail(403, 'SignatureDoesNotMatch');
    const [, name, ...rest] = new URL(request.url ?? '', 'http://s3').pathname.split('/');
    if (name !== bucket) return fail(404, 'NoSuchBucket');
    const key = rest.join('/');
    log.push(`${request.method} ${key}`);
    const known = objects.get(key);
    if (request.method === 'PUT') {
      const checksum = request.headers['x-amz-checksum-sha256'];
      if (checksum !== undefined && checksum !== Buffer.from(digest, 'hex').toString('base64'))
        return fail(400, 'BadDigest');
      if (known && request.headers['if-none-match'] === '*') return fail(412, 'PreconditionFailed');
      objects.set(key, body);
      return void response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (!mayRead) return fail(403, 'AccessDenied');
    if (!known) return mayList ? fail(404, 'NoSuchKey') : fail(403, 'AccessDenied');
    response.writeHead(200, { 'content-length': String(known.length) });
    if (request.method !== 'GET' || cutsLeft === 0) return void response.end(known);
    cutsLeft -= 1;
    response.write(known.subarray(0, -1), () => response.destroy());
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { endpoint, objects, log };
}

/** Whether the signature of a request equals the one that the rules of Signature Version 4 give. */
function isSigned(request: IncomingMessage, digest: string): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
  const [, id, day = '', region = '', names = '', signature] =
    pattern.exec(request.headers.authorization ?? '') ?? [];
  const time = String(request.headers['x-amz-date'] ?? '');
  if (id !== s3Key.accessKeyId || !time.startsWith(day)) return false;
  const signed = names.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name))) return false;
  const url = new URL(request.url ?? '', 'http://s3');
  const headers = signed.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('');
  const canonical = [request.method, url.pathname, url.search.slice(1), headers, names, digest].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${createHash('sha256').update(canonical).digest('hex')}`;
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    Buffer.from(`AWS4${s3Key.secretAccessKey}`),
  );
  return createHmac('sha256', key).update(text).digest('hex') === signature;
}
