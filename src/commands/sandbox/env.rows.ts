import { optional, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** The environment variables that connect ucctl to a sandbox. */
export const environmentRows = rows(
  {},
  {
    UCCTL_BASE_URL: { schema: text, title: 'UCCTL_BASE_URL' },
    UCCTL_CA_FILE: { schema: optional(text), title: 'UCCTL_CA_FILE' },
    UCCTL_CLIENT_ID: { schema: text, title: 'UCCTL_CLIENT_ID' },
    UCCTL_CLIENT_SECRET: { schema: text, title: 'UCCTL_CLIENT_SECRET' },
    UCCTL_DIALECT: { schema: optional(text), title: 'UCCTL_DIALECT' },
    UCCTL_MEDIA_HOSTS: { schema: optional(text), title: 'UCCTL_MEDIA_HOSTS' },
    UCCTL_REDIRECT_URIS: { schema: text, title: 'UCCTL_REDIRECT_URIS' },
    UCCTL_SANDBOX_USERNAME: { schema: optional(text), title: 'UCCTL_SANDBOX_USERNAME' },
  },
);

/** The variables as lines for a POSIX shell. */
export const exportRows = rows({}, { line: { schema: text, title: '# for a POSIX shell' } });
