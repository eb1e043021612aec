/** The folder of an exported account. */
export const folderOption = {
  type: 'string',
  positional: true,
  required: true,
  value: 'DIR',
} as const;
