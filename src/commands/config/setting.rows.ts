import { anyOf, flag, number, oneOf, optional, text, type Schema } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

const value = anyOf(text, number, flag) as Schema<string | number | boolean>;

/** A setting in effect. */
export type SettingRow = RowOf<typeof settingRows>;

export const settingRows = rows(
  {},
  {
    key: { schema: text, title: 'SETTING', priority: 4 },
    value: {
      schema: optional(value),
      title: 'VALUE',
      priority: 3,
      folds: 2,
      cell: (row) => row.value ?? row.default,
    },
    origin: { schema: oneOf('flag', 'environment', 'profile', 'default'), title: 'ORIGIN', priority: 2 },
    source: { schema: text, title: 'FROM', priority: 1 },
    /** Not in the result of `config set`. */
    description: { schema: optional(text), title: 'DESCRIPTION', priority: 0, folds: 4 },
    /** Description of the default, if it depends on the command. */
    default: { schema: optional(text) },
  },
);

/** Columns of `config list` without options. */
export const valueColumns = ['key', 'value'];
export const originColumns = [...valueColumns, 'origin', 'source'];
export const descriptionColumns = ['key', 'description'];

/** A setting that was removed from a profile. */
export const removedRows = rows(
  {},
  {
    key: { schema: text, title: 'Setting' },
    profile: { schema: text, title: 'Profile' },
    removed: { schema: flag, title: 'Removed' },
  },
);

export const fileRows = rows({}, { file: { schema: text, title: 'File' } });
