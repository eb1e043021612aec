import { flag, oneOf, optional, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** The installed version and, after a check, the latest version. */
export type VersionRow = RowOf<typeof versionRows>;

export const versionRows = rows(
  {},
  {
    version: { schema: text, title: 'Version' },
    latest: { schema: optional(text), title: 'Latest' },
    isLatest: { schema: optional(flag) },
    installation: { schema: oneOf('package', 'executable'), title: 'Installation' },
    node: { schema: text, title: 'Node' },
    platform: { schema: text, title: 'Platform' },
  },
);
