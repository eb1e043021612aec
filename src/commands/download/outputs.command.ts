import { integer, list, object, optional, text, type Outputs } from '../../runtime/output-schema.ts';

/** What these commands write as JSON. */
export const downloadOutputs: Outputs = {
  download: list(
    object({
      kind: text,
      id: text,
      status: text,
      file: optional(text),
      bytes: optional(integer),
      contentType: optional(text),
      sha256: optional(text),
      uri: text,
      error: optional(text),
    }),
  ),
};
