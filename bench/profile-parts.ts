/** A call frame of a `.cpuprofile`. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
}

/** Parts of the program by the prefix of their chunks in dist/cli; other chunks belong to commands. */
const chunks: readonly (readonly [start: string, part: string])[] = [
  ['main', 'program: main and app'],
  ['code-cache', 'program: reading compiled code'],
  ['network', 'program: client and undici'],
  ['program', 'program: runtime, settings, arguments and commander'],
  ['table', 'program: tables'],
  ['outcome-journal', 'program: journal of outcomes'],
  ['sqlite', 'program: SQLite'],
];

/** The part of the program that a call frame belongs to. */
export function partOf({ functionName, url }: CallFrame): string {
  if (functionName === '(garbage collector)') return 'collecting garbage';
  if (functionName === '(program)') return 'V8 and the system: starting, compiling, native code';
  if (url.startsWith('node:internal/bootstrap') || url.startsWith('node:internal/main'))
    return 'Node: starting';
  if (url.startsWith('node:internal/modules')) return 'Node: loading modules';
  if (url.startsWith('node:internal/deps')) return 'Node: its own packages';
  if (url.startsWith('node:')) return `Node: ${nodePart(url)}`;
  if (url.endsWith('/bin/ucctl.cjs')) return 'program: bin';
  const [, file = ''] = /dist\/cli\/([\w.-]+)$/.exec(url) ?? [];
  if (file !== '')
    return chunks.find(([start]) => file.startsWith(start))?.[1] ?? 'program: the command itself';
  return url === '' ? 'native functions' : 'installed packages';
}

/** The module of Node, without its inner path. */
function nodePart(url: string): string {
  if (/^node:(internal\/)?(net|_?http|_?tls|dns|timers|stream)/.test(url))
    return 'net, http, streams, timers';
  return url.replace(/^node:(internal\/)?/, '').split('/')[0] ?? url;
}
