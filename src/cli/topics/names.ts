import { lookupTable } from '../../platform/lookup-table.ts';

/** The topics of `ucctl help TOPIC`, with their line in the root help. */
export const topics: Readonly<Record<string, string>> = lookupTable({
  flags: 'Global flags that every command accepts',
  'exit-codes': 'Meaning of each exit code',
  environment: 'Environment variables',
  formatting: 'Output formats, fields and colors',
  bulk: 'Lists, plans and interrupted runs',
  permissions: 'Permissions of apps and users',
  'rate-limits': 'Rate limits and how ucctl handles them',
  sandbox: 'Local sandbox of the service, for experiments and tests',
  privacy: 'Data that ucctl stores and sends',
});
