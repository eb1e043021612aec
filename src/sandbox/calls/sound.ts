const RATE = 8000;
const HEADER = 44;
/** Low enough for a quiet tone. */
const LOUDNESS = 24;

/**
 * A WAV file of this many seconds (8000 Hz, 8 bit, mono): a tone whose pitch and rhythm follow from the id, so that the same id always
 * sounds, and is, the same.
 */
export function soundOf(id: number, seconds: number): Uint8Array {
  const samples = RATE * seconds;
  const file = Buffer.alloc(HEADER + samples, 128);
  writeHeader(file, samples);
  const period = RATE / (220 + (id % 440));
  const beat = RATE / (1 + (id % 3));
  for (let index = 0; index < samples; index += 1) {
    const isSilent = index % beat > beat / 2;
    const wave = index % period < period / 2 ? LOUDNESS : -LOUDNESS;
    if (!isSilent) file[HEADER + index] = 128 + wave;
  }
  return file;
}

function writeHeader(file: Buffer, samples: number): void {
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(HEADER - 8 + samples, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples, 40);
}
