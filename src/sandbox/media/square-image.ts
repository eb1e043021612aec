import { crc32, deflateSync } from 'node:zlib';

const size = 32;

/** Returns a small PNG of one color, chosen by the seed. */
export function squareImage(seed: number): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // The header declares 8 bits per channel and the color type RGB.
  header.set([8, 2, 0, 0, 0], 8);
  const pixel = [(seed * 53) % 256, (seed * 97) % 256, (seed * 193) % 256];
  const row = [0, ...Array.from({ length: size }, () => pixel).flat()];
  const rows = Buffer.from(Array.from({ length: size }, () => row).flat());
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
