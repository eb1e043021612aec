/** The option of commands that write to a path which may contain missing folders. */
export const parentsOption = {
  type: 'boolean',
  advanced: true,
  summary: 'Create missing parent folders, even outside the working folder',
} as const;
