import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../src/client/index.ts';
import { ConnectionError } from '../../../src/errors/service.ts';
import { S3Media } from '../../../src/features/mirror/s3-media.ts';
import { s3Settings } from '../../../src/features/mirror/s3-requests.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { s3Key } from '../../support/fake-s3.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const key = { AWS_ACCESS_KEY_ID: s3Key.accessKeyId, AWS_SECRET_ACCESS_KEY: s3Key.secretAccessKey };
const sha256 = createHash('sha256').update('sound').digest('hex');
const path = `sha256/${sha256.slice(0, 2)}/${sha256}`;

/** A store whose replies are these statuses and codes, or errors; then 200. */
function storeOf(
  replies: readonly (readonly [status: number, code?: string] | Error)[],
  address = 's3://archive/company',
  env: Readonly<Record<string, string>> = {},
) {
  const left = [...replies];
  const requests: HttpRequest[] = [];
  const pauses: number[] = [];
  let discarded = 0;
  const media = new S3Media(s3Settings(address, { ...key, ...env }), {
    unfinished: 'unfinished',
    signal: new AbortController().signal,
    sleep: (milliseconds) => Promise.resolve(void pauses.push(milliseconds)),
    send: (request) => {
      requests.push(request);
      const next = left.shift() ?? [200];
      if (next instanceof Error) return Promise.reject(next);
      const [status, code = ''] = next;
      const discard = () => Promise.resolve(void (discarded += 1));
      return Promise.resolve({
        ...fakeReply({ status, body: Buffer.from(`<Error><Code>${code}</Code></Error>`) }),
        discard,
      });
    },
  });
  return { media, requests, pauses, discarded: () => discarded };
}

describe('the settings of an S3-compatible store', () => {
  it('come from the address and the variables of the AWS tools', () => {
    expect(s3Settings('s3://archive', key)).toEqual({
      bucket: 'archive',
      prefix: '',
      endpoint: undefined,
      region: 'us-east-1',
      accessKeyId: s3Key.accessKeyId,
      secretAccessKey: s3Key.secretAccessKey,
      sessionToken: undefined,
    });
    const general = {
      ...key,
      AWS_ENDPOINT_URL: 'https://all.example',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_SESSION_TOKEN: 'token',
    };
    expect(s3Settings('s3://archive/a/b//', general)).toMatchObject({
      prefix: 'a/b/',
      endpoint: 'https://all.example',
      region: 'eu-west-1',
      sessionToken: 'token',
    });
    const specific = { ...general, AWS_ENDPOINT_URL_S3: 'https://s3.example', AWS_REGION: 'eu-central-1' };
    expect(s3Settings('s3://archive', specific)).toMatchObject({
      endpoint: 'https://s3.example',
      region: 'eu-central-1',
    });
  });

  it.each(Object.keys(key))('need %s', (name) => {
    expect(() => s3Settings('s3://archive', { ...key, [name]: undefined })).toThrow('needs a key');
  });

  it('do not show a password in an invalid address', () => {
    expect(() => s3Settings('s3://user:secret@archive', key)).toThrow('"s3://***@archive" is not a valid');
  });
});

describe('a request for an attachment', () => {
  it('uses the address of the bucket in its region, and the token of a temporary key', async () => {
    const env = { AWS_REGION: 'eu-west-1', AWS_SESSION_TOKEN: 'token' };
    const { media, requests } = storeOf([], 's3://archive/a#b', env);
    await media.remove(sha256);
    expect(requests[0]?.url.href).toBe(`https://archive.s3.eu-west-1.amazonaws.com/a%23b/${path}`);
    expect(requests[0]?.headers).toMatchObject({ 'x-amz-security-token': 'token' });
  });

  it('uses the address of a compatible service with the bucket in the path', async () => {
    const { media, requests } = storeOf([], undefined, { AWS_ENDPOINT_URL_S3: 'https://s3.example/base/' });
    await media.remove(sha256);
    expect(requests[0]?.url.href).toBe(`https://s3.example/base/archive/company/${path}`);
    expect(requests[0]?.headers).not.toHaveProperty('x-amz-security-token');
  });

  it('that stores content names its checksum', async () => {
    const { media, requests } = storeOf([]);
    const file = join(temporaryFolder(), 'download');
    writeFileSync(file, 'sound');
    await media.put(file, { sha256, bytes: 5 });
    const checksum = Buffer.from(sha256, 'hex').toString('base64');
    expect(requests[0]?.headers).toMatchObject({ 'x-amz-checksum-sha256': checksum });
  });

  it('is repeated after each status that a later request may not get', async () => {
    const { media, pauses, discarded } = storeOf([[429], [409], [500], [503], [204]]);
    expect(await media.remove(sha256)).toBe(true);
    expect(pauses).toHaveLength(4);
    // The last reply is discarded too, because it has no content.
    expect(discarded()).toBe(5);
  });

  it.each([501, 403])('is not repeated after HTTP %i', async (status) => {
    const { media, pauses } = storeOf([[status, 'AccessDenied']]);
    await expect(media.remove(sha256)).rejects.toMatchObject({
      message: `s3://archive/company/: an attachment could not be deleted: HTTP ${status} AccessDenied`,
      retryable: false,
    });
    expect(pauses).toEqual([]);
  });

  it('is not repeated if the certificate is not valid', async () => {
    const fault = new ConnectionError('CERT_HAS_EXPIRED', 'no', 'https://s3.example', undefined);
    const { media, pauses } = storeOf([fault]);
    await expect(media.has(sha256)).rejects.toMatchObject({ code: 'media_store', retryable: false });
    expect(pauses).toEqual([]);
  });

  it('deletes an attachment that no longer exists', async () => {
    const { media } = storeOf([[404, 'NoSuchKey']]);
    expect(await media.remove(sha256)).toBe(true);
  });
});
