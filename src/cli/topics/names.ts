/** The topics of `ucctl help TOPIC`, with their line in the root help. */
export const topics: Readonly<Record<string, string>> = {
  'exit-codes': 'What each exit code means',
  environment: 'Environment variables',
  formatting: 'Output formats, fields, colours',
};
