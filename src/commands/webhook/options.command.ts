/** The chat webhooks to change. */
export const idsOption = {
  type: 'list',
  positional: true,
  required: true,
  value: 'ID...',
  summary: 'Chat webhook IDs; see ucctl webhook list',
} as const;
