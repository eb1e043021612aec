/** Modules of undici that are imported alone, because all of undici loads slowly (docs/adr/0004-undici-deep-imports.md). */
declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import type { ProxyAgent } from 'undici';
  const agent: typeof ProxyAgent;
  export default agent;
}
declare module 'undici/lib/dispatcher/pool.js' {
  import type { Pool } from 'undici';
  const pool: typeof Pool;
  export default pool;
}
declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici';
  const connect: Dispatcher['connect'];
  export default connect;
}
declare module 'undici/lib/core/connect.js' {
  import type { buildConnector } from 'undici';
  const build: typeof buildConnector;
  namespace build {
    type connector = buildConnector.connector;
  }
  export default build;
}
declare module 'undici/lib/core/util.js' {
  /** Parses the headers of a reply, which alternate between names and values. */
  export function parseHeaders(headers: readonly Buffer[]): Record<string, string | string[]>;
}
