declare module 'postject' {
  /** Adds a resource to a Mach-O, PE or ELF file, and marks it as present at the sentinel. */
  export function inject(
    filename: string,
    resourceName: string,
    resourceData: Buffer,
    options?: {
      readonly sentinelFuse?: string;
      readonly machoSegmentName?: string;
      readonly overwrite?: boolean;
    },
  ): Promise<void>;
}
