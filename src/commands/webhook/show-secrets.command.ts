/** `--show-secrets` of the commands that show chat webhooks. */
export const showSecrets = {
  type: 'boolean',
  summary: 'Show webhook addresses (credentials) instead of masking them',
} as const;
