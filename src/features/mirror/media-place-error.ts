import { CommandError, Exit } from '../../errors/command.ts';

/**
 * The error for an S3-compatible store that rejects requests, or does not reply (`media_store`, exit 12). The requests for
 * other attachments would fail, too.
 */
export class MediaPlaceError extends CommandError {
  constructor(message: string, { retryable }: { readonly retryable: boolean }) {
    super('media_store', Exit.local, message, {
      hint: 'check the bucket, the region, AWS_ENDPOINT_URL_S3 and the permissions of the key, and run the same command again',
      retryable,
    });
  }
}
