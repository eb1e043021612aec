import { usageError } from '../../errors/command.ts';
import { nameKey, safeName, safeNameWith, withSuffix } from './safe-name.ts';
import { lookupTable } from '../../platform/lookup-table.ts';
import { isoWithOffset, readInstant } from '../../platform/moment.ts';

/** The values of the fields in a name template. */
export interface NameParts {
  readonly id: string;
  /** The ID in file names, if other items may have the same `id`. */
  readonly nameId?: string | undefined;
  readonly kind: string;
  /** Time of the item in ISO 8601 format. */
  readonly time?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly direction?: string | undefined;
  readonly session?: string | undefined;
  readonly contentType?: string | undefined;
}

const extensions: Readonly<Record<string, string>> = lookupTable({
  'audio/x-wav': 'wav',
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/ogg': 'ogg',
  'application/pdf': 'pdf',
  'image/tiff': 'tiff',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'text/plain': 'txt',
  'text/vcard': 'vcf',
  'text/x-vcard': 'vcf',
  'application/json': 'json',
});

/**
 * Returns the file name extension for a content type. It comes from a fixed table, never from the server or a sender.
 */
function extensionOf(contentType: string | undefined): string {
  return extensions[contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''] ?? 'bin';
}

const fields: Readonly<Record<string, (parts: NameParts) => string | undefined>> = lookupTable({
  id: ({ id, nameId }) => nameId ?? id,
  kind: ({ kind }) => kind,
  date: ({ time }) => time?.slice(0, 10),
  time: ({ time }) => time?.slice(11, 19).replaceAll(':', ''),
  from: ({ from }) => from,
  to: ({ to }) => to,
  direction: ({ direction }) => direction?.toLowerCase(),
  session: ({ session }) => session,
  ext: ({ contentType }) => extensionOf(contentType),
});

/** End of most templates: an extension, which a name has even if all other fields are empty. */
const lastField = '.{ext}';

/** Checks a name template. @throws {CommandError} `usage` for an unknown field or a folder. */
export function checkTemplate(template: string): void {
  if (/[/\\]/.test(template))
    throw usageError(
      `--name-template: "${template}" contains a folder, but a template names only the file`,
      'replace / by another character; for a folder for each day, run the command for each day with --since, --until and --dir FOLDER',
    );
  for (const [whole, name = ''] of template.matchAll(/\{([^{}]*)\}/g)) {
    if (Object.hasOwn(fields, name)) continue;
    throw usageError(
      `--name-template: ${whole} is not a valid field`,
      `use ${Object.keys(fields)
        .map((field) => `{${field}}`)
        .join(' ')}`,
    );
  }
}

/** Generates the file names of one run, which are distinct on every file system, whatever data the service returns. */
export class FileNames {
  readonly #template: string;
  readonly #mayOmitId: boolean;
  readonly #zone: string | undefined;
  readonly #taken = new Set<string>();

  /**
   * @param mayOmitId whether the first file of a name needs no ID. In a run of several files, the first file can be
   * another one next time, and would then be skipped as an existing file.
   * @param zone time zone of {date} and {time}; default: UTC. It is never the zone of this machine, because a later run
   * on another machine finds existing files by their names.
   */
  constructor(template = '{kind}-{id}.{ext}', mayOmitId = true, zone?: string) {
    this.#template = template.includes('{ext}') ? template : `${template}${lastField}`;
    this.#mayOmitId = mayOmitId || template.includes('{id}');
    this.#zone = zone;
  }

  take(parts: NameParts): string {
    const local = { ...parts, time: this.#localTime(parts.time) };
    const fill = (text: string): string =>
      text.replaceAll(/\{(\w+)\}/g, (_, field: string) => fields[field]?.(local) ?? '');
    const whole = safeName(fill(this.#template));
    const extension = extensionOf(parts.contentType);
    // If all other fields are empty, the name begins with the dot of the extension, which is removed.
    const isLost = this.#template.endsWith(lastField) && !whole.endsWith(`.${extension}`);
    const name = isLost ? safeNameWith(fill(this.#template.slice(0, -lastField.length)), extension) : whole;
    const withId = withSuffix(name, safeName(`-${parts.nameId ?? parts.id}`).replace(/^(?!-)/, '-'));
    const tries = this.#mayOmitId ? [name, withId] : [withId];
    for (let count = 2; tries.every((one) => this.#taken.has(nameKey(one))); count += 1) {
      tries.push(withSuffix(name, `-${count}`));
    }
    const free = tries.find((one) => !this.#taken.has(nameKey(one))) ?? name;
    this.#taken.add(nameKey(free));
    return free;
  }

  #localTime(time: string | undefined): string | undefined {
    const at = time === undefined ? undefined : readInstant(time);
    return at === undefined ? time : isoWithOffset(at, this.#zone);
  }
}
