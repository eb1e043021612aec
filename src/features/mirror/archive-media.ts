import type { MediaStore } from '../../store/media-store.ts';

/**
 * The attachments of one archive in a place that several archives may use. An archive stores and deletes content only
 * in its own part of the place (docs/adr/0141-attachments-of-several-archives.md). Content that earlier versions stored
 * outside of these parts is only read.
 */
export class ArchiveMedia implements MediaStore {
  readonly location: string;
  readonly unfinished: string;
  readonly earlierUnfinished: string;
  readonly #own: MediaStore;
  readonly #earlier: MediaStore;

  /**
   * @param own the part of this archive
   * @param earlier the whole place, as earlier versions used it
   */
  constructor(own: MediaStore, earlier: MediaStore) {
    this.#own = own;
    this.#earlier = earlier;
    this.location = earlier.location;
    this.unfinished = own.unfinished;
    this.earlierUnfinished = earlier.unfinished;
  }

  put(file: string, content: { readonly sha256: string; readonly bytes: number }): Promise<void> {
    return this.#own.put(file, content);
  }

  async read(sha256: string): Promise<Uint8Array> {
    return (await this.#placeOf(sha256)).read(sha256);
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.#own.has(sha256)) || this.#earlier.has(sha256);
  }

  async hash(sha256: string): Promise<string | undefined> {
    return (await this.#placeOf(sha256)).hash(sha256);
  }

  async remove(sha256: string): Promise<boolean> {
    await this.#own.remove(sha256);
    return !(await this.#earlier.has(sha256));
  }

  async #placeOf(sha256: string): Promise<MediaStore> {
    return (await this.#own.has(sha256)) ? this.#own : this.#earlier;
  }
}
