import { list, object, oneOf, optional, record, text, type Outputs } from '../../runtime/output-schema.ts';

const shell = oneOf('bash', 'zsh', 'fish', 'powershell');
const installed = record(
  object({
    shell,
    script: text,
    startFile: optional(text),
    action: oneOf('installed', 'unchanged', 'removed', 'nothing to remove'),
  }),
);

/** What these commands write as JSON. */
export const completionOutputs: Outputs = {
  'completion install': installed,
  'completion uninstall': installed,
  'completion script': record(object({ shell, script: text })),
  'completion values': list(object({ kind: text, value: text, about: optional(text) })),
};
