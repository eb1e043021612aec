import type { Context } from '../../runtime/context.ts';
import type { Settings } from '../../runtime/settings.ts';
import type { Tool } from './tools.ts';

type Policy = Pick<Settings, 'mcpAllow' | 'readOnly'>;

/** A read-only profile has no tool that changes the service. In a sandbox, `mcp-allow` has no effect. */
function isAllowed({ mcpAllow, readOnly }: Policy, { name, access }: Tool, isSandbox: boolean): boolean {
  if (access === 'read') return true;
  if (readOnly.value && access !== 'local') return false;
  const allowed = isSandbox ? ['*'] : mcpAllow.value;
  return allowed.includes('*') || allowed.includes(name);
}

/** The tools of a server. */
export interface AllowedTools {
  readonly tools: readonly Tool[];
  /** Names of the tools that the profile does not allow. */
  readonly blocked: readonly string[];
  /** Whether the profile still allows a tool: the user may have changed the setting since the start. */
  readonly isStillAllowed: (tool: Tool) => Promise<boolean>;
}

/** Returns the tools that the profile allows. */
export function allowedTools(ctx: Context, tools: readonly Tool[], isSandbox: boolean): AllowedTools {
  const { settings, out } = ctx;
  const names: ReadonlySet<string> = new Set(tools.map(({ name }) => name));
  const wanted = isSandbox ? [] : settings.mcpAllow.value;
  const unknown = wanted.filter((name) => name !== '*' && !names.has(name));
  if (unknown.length > 0) out.warn(`mcp-allow names tools that do not exist: ${unknown.join(', ')}`);
  return {
    tools: tools.filter((tool) => isAllowed(settings, tool, isSandbox)),
    blocked: tools.filter((tool) => !isAllowed(settings, tool, isSandbox)).map(({ name }) => name),
    isStillAllowed: async (tool) =>
      tool.access === 'read' || isAllowed(await ctx.currentSettings(), tool, isSandbox),
  };
}
