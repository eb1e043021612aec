import { Exit } from '../../errors/command.ts';
import {
  anything,
  array,
  flag,
  integer,
  mapOf,
  object,
  oneOf,
  optional,
  type Schema,
  text,
} from '../../runtime/output-schema.ts';

const exits = Object.values(Exit).filter((code) => code !== Exit.ok && code !== Exit.changesPresent);

/** The error line on stderr in a JSON format. Scripts can rely on `code`. */
export const errorSchema: Schema = object({
  error: object({
    code: text,
    message: text,
    hint: optional(text),
    need: optional(text),
    details: optional(array(text)),
    retryable: flag,
    /** Seconds after which the service accepts requests again. */
    retry_after: optional(integer),
    /** ID of the run of changes that failed, or that blocks the command. */
    run: optional(text),
    /** ID of the unknown outcome, for `ucctl outcome resolve`. */
    outcome: optional(integer),
    /** The earlier request that used the same `--dedupe-key`. */
    earlier: optional(
      object({ outcome: integer, state: oneOf('sending', 'sent', 'unknown'), id: optional(text) }),
    ),
    http_status: optional(integer),
    server_code: optional(text),
    server_errors: optional(
      array(object({ code: text, message: optional(text), parameter: optional(text) })),
    ),
    request_id: optional(text),
    exit: oneOf(...exits),
  }),
});

const dryRunRequest = object({
  method: text,
  url: text,
  headers: optional(mapOf(text)),
  contentType: optional(text),
  body: optional(anything),
});

/** The requests that `--dry-run` of a list or a plan did not send. */
export const dryRunListSchema: Schema = array(dryRunRequest);

/** The requests that any other `--dry-run` did not send: one request is an object, several requests are an array. */
export const dryRunSchema: Schema = { anyOf: [dryRunRequest, dryRunListSchema] };
