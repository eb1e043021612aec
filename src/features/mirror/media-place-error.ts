import { CommandError, Exit } from '../../errors/command.ts';

const repeatHint = 'and run the same command again';
const usualHint = `check the bucket, the region, AWS_ENDPOINT_URL_S3 and the permissions of the key, ${repeatHint}`;
const unlistedHint = `without s3:ListBucket for the bucket, S3 replies 403 for a missing attachment; add s3:ListBucket and s3:GetObject to the permissions of the key, ${repeatHint}`;

/**
 * The error for an S3-compatible store that rejects requests, or does not reply (`media_store`, exit 12). The requests for
 * other attachments would fail, too.
 */
export class MediaPlaceError extends CommandError {
  /** @param more `mayBeMissing`: the store rejected a read, but would also do so for a missing attachment. */
  constructor(message: string, more: { readonly retryable: boolean; readonly mayBeMissing?: boolean }) {
    super('media_store', Exit.local, message, {
      hint: more.mayBeMissing ? unlistedHint : usualHint,
      retryable: more.retryable,
    });
  }
}
