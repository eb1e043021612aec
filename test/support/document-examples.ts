/** A fenced block of a document. */
interface Block {
  /** First word after the fence. */
  readonly language: string;
  /** The rest of that line. */
  readonly info: string;
  readonly text: string;
  /** File name from the line before the block. */
  readonly file: string | undefined;
}

/** The steps that a document describes, in order. */
export type Step =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'run'; readonly text: string }
  /** Runs in a separate terminal until Ctrl-C. */
  | { readonly kind: 'background'; readonly text: string }
  | { readonly kind: 'not-run'; readonly text: string; readonly reason: string };

/**
 * The steps of a document: blocks of `sh`, and files. A block is `sh background` when it runs until Ctrl-C, and `sh not-run: REASON` when a
 * test cannot run it. A block that follows a line with nothing but a file name in backticks and a colon is that file.
 */
export function stepsOf(markdown: string): readonly Step[] {
  return blocksOf(markdown).flatMap((block): readonly Step[] => {
    const { language, info, text, file } = block;
    if (file !== undefined) return [{ kind: 'file', name: file, text }];
    if (language !== 'sh') return [];
    const reason = /^not-run: (.+)$/.exec(info)?.[1];
    if (reason !== undefined) return [{ kind: 'not-run', text, reason }];
    if (info !== '' && info !== 'background') throw new Error(`what is "sh ${info}"?`);
    return [{ kind: info === 'background' ? 'background' : 'run', text }];
  });
}

function blocksOf(markdown: string): readonly Block[] {
  const blocks = markdown.matchAll(/(?:^`([\w.-]+)`:\n\n)?^```(\S+) ?(.*)\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, file, language = '', info = '', text = '']) => ({ language, info, text, file }));
}

/** A bash program that runs the steps and fails with the first step that fails. */
export function programOf(steps: readonly Step[]): string {
  const parts = steps.map((step, index) => {
    if (step.kind === 'file') return `cat > '${step.name}' <<'END OF FILE'\n${step.text}END OF FILE`;
    if (step.kind === 'not-run') return '';
    if (step.kind === 'run') return step.text;
    // Its first line reports that it is ready.
    const log = `background-${index}.log`;
    return `( exec ${step.text.trim()} ) > ${log} 2>&1 &\nuntil [ -s ${log} ]; do sleep 0.05; done`;
  });
  return [
    'set -euo pipefail',
    "trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT",
    ...parts,
    'echo ALL STEPS DONE',
    '',
  ].join('\n');
}
