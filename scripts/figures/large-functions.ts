import { spawnSync } from 'node:child_process';
import { execPath } from 'node:process';

/** A function with one measured value: its lines, its positional parameters or its cyclomatic complexity. */
export interface Measured {
  /** `src/app.ts:51` */
  readonly place: string;
  readonly name: string;
  readonly value: number;
}

/** Functions of src beyond the limits of oxlint.json in this folder, the largest first. */
export interface LargeFunctions {
  readonly lines: readonly Measured[];
  readonly parameters: readonly Measured[];
  readonly complexity: readonly Measured[];
}

interface Diagnostic {
  readonly message: string;
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

/** Measures the functions of a folder by the linter, which counts as its rules in .oxlintrc.json do. */
export function largeFunctions(folder: string): LargeFunctions {
  const config = 'scripts/figures/oxlint.json';
  const args = ['node_modules/oxlint/bin/oxlint', '--config', config, '--format', 'json', folder];
  const { stdout, stderr } = spawnSync(execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (!stdout.startsWith('{')) throw new Error(`oxlint reported no measurements: ${stderr}`);
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly Diagnostic[] };
  const of = (rule: string): readonly Measured[] =>
    diagnostics
      .filter(({ code }) => code === `eslint(${rule})`)
      .map(measured)
      .toSorted((one, other) => other.value - one.value);
  return {
    lines: of('max-lines-per-function'),
    parameters: of('max-params'),
    complexity: of('complexity'),
  };
}

function measured({ message, filename, labels: [label] }: Diagnostic): Measured {
  const [, name = '(anonymous)'] = /[`']([^`']+)[`']/.exec(message) ?? [];
  const [, inBrackets, afterOf] = /\((\d+)\)|complexity of (\d+)/.exec(message) ?? [];
  const value = Number(inBrackets ?? afterOf);
  if (Number.isNaN(value)) throw new Error(`a finding of oxlint contains no number: ${message}`);
  return { place: `${filename}:${label?.span.line ?? 1}`, name, value };
}
