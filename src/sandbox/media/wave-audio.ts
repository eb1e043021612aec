const rate = 8000;
const headerBytes = 44;

/** Returns a tone as a WAV file: 8000 samples per second, 8 bits, mono. @param seed chooses the pitch. */
export function waveAudio(durationSeconds: number, seed = 0): Uint8Array {
  const samples = Math.max(1, Math.round(durationSeconds * rate));
  const file = Buffer.alloc(headerBytes + samples);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(headerBytes - 8 + samples, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples, 40);
  const wave = oneSecond(220 + (seed % 12) * 20);
  for (let at = 0; at < samples; at += rate)
    wave.copy(file, headerBytes + at, 0, Math.min(rate, samples - at));
  return file;
}

/** One second contains a whole number of periods, so that consecutive seconds join without a click. */
function oneSecond(hertz: number): Buffer {
  return Buffer.from(
    Array.from(
      { length: rate },
      (_, at) => 128 + Math.round(60 * Math.sin((2 * Math.PI * hertz * at) / rate)),
    ),
  );
}
