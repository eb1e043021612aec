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

/** The line on stderr under a JSON format; `code` is what scripts can rely on. */
export const errorSchema: Schema = object({
  error: object({
    code: text,
    message: text,
    hint: optional(text),
    need: optional(text),
    details: optional(array(text)),
    retryable: flag,
    http_status: optional(integer),
    server_code: optional(text),
    request_id: optional(text),
    exit: oneOf(...exits),
  }),
});

const withheld = object({
  method: text,
  url: text,
  headers: optional(mapOf(text)),
  contentType: optional(text),
  body: optional(anything),
});

/** The requests that `--dry-run` kept back: one alone as an object. */
export const dryRunSchema: Schema = { anyOf: [withheld, array(withheld)] };
