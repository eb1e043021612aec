import type { Input } from '../../runtime/streams.ts';
import { usageError } from '../../errors/command.ts';

/** Secrets from standard input, one per line: first the client secret, then the password, assertion or pasted address. */
export class StdinLines {
  readonly #input: Input;
  #lines: AsyncGenerator<string, void, undefined> | undefined;

  constructor(input: Input) {
    this.#input = input;
  }

  /**
   * Returns the next line without its line break.
   * @throws {CommandError} `usage` (exit 2) if standard input is a terminal, or has no further line.
   */
  async next(flag: string): Promise<string> {
    if (this.#input.isTerminal) {
      throw usageError(
        `${flag} reads standard input, which is a terminal`,
        `pipe the secret to the command, or remove ${flag} to enter the secret at a prompt`,
      );
    }
    const line = await this.maybe();
    if (line !== undefined) return line;
    throw usageError(
      `${flag}: standard input contains too few lines`,
      'write one secret per line: first the client secret, then the password or the assertion',
    );
  }

  /** Returns the next line; undefined if there is no further line, or the line is empty. */
  async maybe(): Promise<string | undefined> {
    this.#lines ??= this.#input.lines();
    const { value: line } = await this.#lines.next();
    return line || undefined;
  }
}
