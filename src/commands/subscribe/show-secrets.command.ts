/** `--show-secrets` of the commands that show subscriptions. */
export const showSecrets = {
  type: 'boolean',
  summary: 'Show the keys of subscriptions instead of masking them',
} as const;
